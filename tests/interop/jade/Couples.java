import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import jade.core.AID;
import jade.core.Agent;
import jade.core.behaviours.CyclicBehaviour;
import jade.lang.acl.ACLMessage;
import jade.wrapper.AgentContainer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Many agents that call a target each, one request after the other, for a measured time: the
 * couples of the papers on JADE's message transport. All call before, during and after it.
 */
final class Couples {
  private static int made = 0; // loads, for the names of agents
  private final String content;
  private final AtomicIntegerArray trips;
  private final CountDownLatch begun;
  private final CountDownLatch ended;
  private volatile boolean isOver = false;
  private volatile boolean isWrong = false;

  private Couples(String content, int count) {
    this.content = content;
    trips = new AtomicIntegerArray(count);
    begun = new CountDownLatch(count);
    ended = new CountDownLatch(count);
  }

  static JsonObject measure(AgentContainer container, JsonObject command) throws Exception {
    int count = command.get("count").getAsInt();
    long nanos = (long) (command.get("seconds").getAsDouble() * 1e9);
    JsonArray targets = command.getAsJsonArray("targets");
    Couples couples = new Couples(command.get("content").getAsString(), count);
    String name = "caller-" + ++made + "-";
    for (int i = 0; i < count; ++i) {
      AID target = Messages.toAid(targets.get(i).getAsJsonObject());
      container.acceptNewAgent(name + i, couples.new Caller(target, i)).start();
    }
    couples.begun.await();
    pause(nanos / 3);
    long before = couples.total();
    long start = System.nanoTime();
    pause(nanos);
    // On a busy machine a short interval may see no trip; then it lasts until there is one.
    for (int i = 0; i < 10_000 && couples.total() == before; ++i) pause(1_000_000);
    long after = couples.total();
    long passed = System.nanoTime() - start;
    couples.isOver = true;
    couples.ended.await();
    if (couples.isWrong) throw new IllegalStateException("a reply is wrong");
    JsonObject fields = new JsonObject();
    fields.addProperty("trips", after - before);
    fields.addProperty("nanoseconds", passed);
    return fields;
  }

  private static void pause(long nanos) throws InterruptedException {
    Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
  }

  private long total() {
    long all = 0;
    for (int i = 0; i < trips.length(); ++i) all += trips.get(i);
    return all;
  }

  private final class Caller extends Agent {
    private static final long serialVersionUID = 1;
    private final transient AID target;
    private final int number;
    private int sent;

    Caller(AID target, int number) {
      this.target = target;
      this.number = number;
    }

    @Override
    protected void setup() {
      call();
      addBehaviour(new CyclicBehaviour() {
        private static final long serialVersionUID = 1;

        @Override
        public void action() {
          ACLMessage reply = myAgent.receive();
          if (reply == null) {
            block();
          } else {
            take(reply);
          }
        }
      });
    }

    private void call() {
      ++sent;
      ACLMessage request = new ACLMessage(ACLMessage.REQUEST);
      request.addReceiver(target);
      request.setContent(content);
      request.setConversationId("couple-" + number);
      request.setReplyWith(String.valueOf(sent));
      send(request);
    }

    private void take(ACLMessage reply) {
      if (reply.getPerformative() != ACLMessage.INFORM || !content.equals(reply.getContent())
          || !String.valueOf(sent).equals(reply.getInReplyTo())) {
        isWrong = true;
      }
      if (trips.incrementAndGet(number) == 1) begun.countDown();
      if (!isOver && !isWrong) {
        call();
      } else {
        doDelete();
        ended.countDown();
      }
    }
  }
}
