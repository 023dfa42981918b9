import jade.core.AID;
import jade.core.Agent;
import jade.core.Profile;
import jade.core.ProfileImpl;
import jade.core.Runtime;
import jade.core.behaviours.OneShotBehaviour;
import jade.lang.acl.ACLMessage;
import jade.util.leap.ArrayList;
import jade.wrapper.AgentContainer;

/** JADE: an agent in each of two containers, which are processes. PART PORT SIZE NANOSECONDS */
public final class JadePeer {
  private JadePeer() {}

  public static void main(String[] words) throws Exception {
    String part = words[0];
    boolean isFirst = part.equals("ping") || part.equals("drink");
    int port = Integer.parseInt(words[1]);
    Object[] work = {part, Integer.valueOf(words[2]), Long.valueOf(words[3])};
    AgentContainer container = null;
    for (int tries = 0; container == null && tries < 100; ++tries) {
      Profile profile = new ProfileImpl("127.0.0.1", port, "peers", isFirst);
      profile.setSpecifiers(Profile.MTPS, new ArrayList());
      profile.setParameter(Profile.LOCAL_HOST, "127.0.0.1");
      container = isFirst ? Runtime.instance().createMainContainer(profile)
                          : Runtime.instance().createAgentContainer(profile);
      if (container == null) Thread.sleep(100);
    }
    if (container == null) Counting.fail("there is no container");
    String name = isFirst ? "first" : "second";
    container.createNewAgent(name, Player.class.getName(), work).start();
  }

  /** Plays one of the four parts. */
  public static final class Player extends Agent {
    private static final long serialVersionUID = 1;
    private String part;
    private int size;
    private long nanos;

    @Override
    protected void setup() {
      part = (String) getArguments()[0];
      size = (Integer) getArguments()[1];
      nanos = (Long) getArguments()[2];
      addBehaviour(new OneShotBehaviour() {
        private static final long serialVersionUID = 1;

        @Override
        public void action() {
          play();
        }
      });
    }

    private void play() {
      switch (part) {
        case "ping" -> ping();
        case "pong" -> pong();
        case "drink" -> drink();
        default -> pour();
      }
      java.lang.Runtime.getRuntime().halt(0);
    }

    private void give(String whom, byte[] content) {
      ACLMessage message = new ACLMessage(ACLMessage.INFORM);
      message.addReceiver(new AID(whom, AID.ISLOCALNAME));
      message.setByteSequenceContent(content);
      send(message);
    }

    private byte[] take() {
      ACLMessage message = blockingReceive();
      if (message.getPerformative() != ACLMessage.INFORM) Counting.fail(message.toString());
      return message.getByteSequenceContent();
    }

    private void ping() {
      Counting.Rounds rounds = new Counting.Rounds(size, nanos);
      take();  // the second agent is there
      do {
        give("second", rounds.next());
      } while (rounds.take(take()));
      rounds.print();
    }

    private void pong() {
      give("first", new byte[8]);
      while (true) give("first", take());
    }

    private void drink() {
      Counting.Intake intake = new Counting.Intake(size);
      take();
      give("second", new byte[8]);
      while (intake.take(take())) {
        if (intake.taken() % Counting.STEP == 0) give("second", new byte[8]);
      }
      intake.print();
    }

    private void pour() {
      Counting.Source source = new Counting.Source(size, nanos);
      give("first", new byte[8]);
      take();
      long taken = 0;
      while (!source.isOver()) {
        for (; source.sent() >= taken + Counting.WINDOW; taken += Counting.STEP) take();
        give("first", source.next());
      }
      give("first", source.farewell());
      while (true) take();  // this process is ended from outside
    }
  }
}
