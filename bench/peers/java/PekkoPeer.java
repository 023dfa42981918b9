import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.Props;

import java.time.Duration;

/** Pekko: an actor in each of two systems, which are processes; Artery over TCP.
 *  PART PORT SIZE NANOSECONDS */
public final class PekkoPeer {
  private PekkoPeer() {}

  public static void main(String[] words) {
    boolean isFirst = words[0].equals("ping") || words[0].equals("drink");
    Config config = ConfigFactory.parseString(
        "pekko.actor.provider = remote\n"
            + "pekko.loglevel = ERROR\npekko.stdout-loglevel = ERROR\n"
            + "pekko.remote.artery.transport = tcp\n"
            + "pekko.remote.artery.canonical.hostname = \"127.0.0.1\"\n"
            + "pekko.remote.artery.canonical.port = " + (isFirst ? words[1] : "0"))
        .withFallback(ConfigFactory.load());
    ActorSystem system = ActorSystem.create("peers", config);
    int size = Integer.parseInt(words[2]);
    long nanos = Long.parseLong(words[3]);
    String first = "pekko://peers@127.0.0.1:" + words[1] + "/user/first";
    switch (words[0]) {
      case "ping" -> system.actorOf(Props.create(Pinger.class, size, nanos), "first");
      case "drink" -> system.actorOf(Props.create(Drinker.class, size), "first");
      case "pong" -> system.actorOf(Props.create(Ponger.class, first), "second");
      default -> system.actorOf(Props.create(Pourer.class, first, size, nanos), "second");
    }
  }

  static final class Pinger extends AbstractActor {
    private final Counting.Rounds rounds;
    private ActorRef second;

    Pinger(int size, long nanos) {
      rounds = new Counting.Rounds(size, nanos);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(byte[].class, this::take).build();
    }

    private void take(byte[] message) {
      if (second == null) {
        second = getSender();
      } else if (!rounds.take(message)) {
        rounds.print();
        Runtime.getRuntime().halt(0);
      }
      second.tell(rounds.next(), getSelf());
    }
  }

  static final class Drinker extends AbstractActor {
    private final Counting.Intake intake;
    private boolean hasBegun;

    Drinker(int size) {
      intake = new Counting.Intake(size);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(byte[].class, this::take).build();
    }

    private void take(byte[] message) {
      if (!hasBegun) {
        hasBegun = true;
        getSender().tell(new byte[8], getSelf());
      } else if (!intake.take(message)) {
        intake.print();
        Runtime.getRuntime().halt(0);
      } else if (intake.taken() % Counting.STEP == 0) {
        getSender().tell(new byte[8], getSelf());
      }
    }
  }

  /** Finds the first actor, which may not exist yet. */
  abstract static class Second extends AbstractActor {
    private final String place;
    protected ActorRef first;

    Second(String place) {
      this.place = place;
      getContext().getSystem().scheduler().scheduleAtFixedRate(Duration.ZERO,
          Duration.ofMillis(100), getSelf(), "look", getContext().getDispatcher(), getSelf());
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(byte[].class, this::take).matchEquals("look", m -> look())
          .match(ActorIdentity.class, this::found).build();
    }

    private void look() {
      if (first == null) getContext().actorSelection(place).tell(new Identify(1), getSelf());
    }

    private void found(ActorIdentity identity) {
      if (first != null || identity.getActorRef().isEmpty()) return;
      first = identity.getActorRef().get();
      first.tell(new byte[8], getSelf());
    }

    abstract void take(byte[] message);
  }

  static final class Ponger extends Second {
    Ponger(String place) {
      super(place);
    }

    @Override
    void take(byte[] ping) {
      first.tell(ping, getSelf());
    }
  }

  static final class Pourer extends Second {
    private final Counting.Source source;
    private long allowed;
    private boolean isOver;

    Pourer(String place, int size, long nanos) {
      super(place);
      source = new Counting.Source(size, nanos);
    }

    /** Each word permits more messages: the first word a window, each later word a step. */
    @Override
    void take(byte[] word) {
      allowed += allowed == 0 ? Counting.WINDOW :
        Counting.STEP;
        while (!isOver && source.sent() < allowed) {
          isOver = source.isOver();
          first.tell(isOver ? source.farewell() : source.next(), getSelf());
      }
    }
  }
}
