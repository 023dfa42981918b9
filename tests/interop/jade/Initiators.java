import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import jade.core.AID;
import jade.lang.acl.ACLMessage;
import jade.proto.AchieveREInitiator;
import jade.proto.ContractNetInitiator;
import jade.proto.SubscriptionInitiator;
import java.util.Vector;
import java.util.function.Consumer;

/** The protocols that an agent begins, by JADE's own classes. */
final class Initiators {
  private Initiators() {}

  /** Answers with all replies, in the order in which they came, when the protocol has ended. */
  static void request(PlayerAgent agent, int id, ACLMessage message) {
    JsonArray replies = new JsonArray();
    agent.begin(message);
    agent.addBehaviour(new AchieveREInitiator(agent, message) {
      private static final long serialVersionUID = 1;

      @Override
      protected void handleAgree(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleRefuse(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleNotUnderstood(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleFailure(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleInform(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      public int onEnd() {
        answer(agent, id, message, replies);
        return super.onEnd();
      }
    });
  }

  /** The same; accepts the lowest price, unless `accepts` is false, and rejects the others. */
  static void callForProposals(PlayerAgent agent, int id, ACLMessage message, boolean accepts) {
    JsonArray replies = new JsonArray();
    agent.begin(message);
    agent.addBehaviour(new ContractNetInitiator(agent, message) {
      private static final long serialVersionUID = 1;

      @Override
      protected void handlePropose(ACLMessage reply, Vector acceptances) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleRefuse(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleNotUnderstood(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleFailure(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      protected void handleInform(ACLMessage reply) {
        replies.add(Messages.toJson(reply));
      }

      @Override
      @SuppressWarnings("unchecked")
      protected void handleAllResponses(Vector responses, Vector acceptances) {
        acceptances.addAll(decide(responses, accepts));
      }

      @Override
      public int onEnd() {
        answer(agent, id, message, replies);
        return super.onEnd();
      }
    });
  }

  /** Gives all replies and notices to `use`, until `cancel`. */
  static void subscribe(
      PlayerAgent agent, ACLMessage message, Consumer<ACLMessage> use, String cancelContent) {
    agent.begin(message);
    SubscriptionInitiator initiator = new SubscriptionInitiator(agent, message) {
      private static final long serialVersionUID = 1;

      @Override
      protected void handleAgree(ACLMessage reply) {
        agent.report(reply);
      }

      @Override
      protected void handleRefuse(ACLMessage reply) {
        agent.report(reply);
      }

      @Override
      protected void handleNotUnderstood(ACLMessage reply) {
        agent.report(reply);
      }

      @Override
      protected void handleFailure(ACLMessage reply) {
        agent.report(reply);
      }

      @Override
      protected void handleInform(ACLMessage notice) {
        use.accept(notice);
      }

      @Override
      protected void fillCancelContent(ACLMessage subscription, ACLMessage cancel) {
        if (cancelContent == null) {
          super.fillCancelContent(subscription, cancel);
        } else {
          cancel.setContent(cancelContent);
        }
      }
    };
    agent.subscriptions.put(message.getConversationId(), initiator);
    agent.addBehaviour(initiator);
  }

  static void cancel(PlayerAgent agent, String conversation, AID publisher) {
    SubscriptionInitiator initiator = agent.subscriptions.remove(conversation);
    if (initiator == null) throw new IllegalArgumentException("there is no such subscription");
    initiator.cancel(publisher, true);
    agent.finish(conversation);
  }

  private static void answer(PlayerAgent agent, int id, ACLMessage first, JsonArray replies) {
    agent.finish(first.getConversationId());
    JsonObject fields = new JsonObject();
    fields.add("replies", replies);
    Output.answer(id, fields);
  }

  private static Vector<ACLMessage> decide(Vector<?> responses, boolean accepts) {
    ACLMessage best = null;
    for (Object each : responses) {
      ACLMessage response = (ACLMessage) each;
      if (response.getPerformative() != ACLMessage.PROPOSE) continue;
      if (best == null || price(response) < price(best)) best = response;
    }
    Vector<ACLMessage> decisions = new Vector<>();
    for (Object each : responses) {
      ACLMessage response = (ACLMessage) each;
      if (response.getPerformative() != ACLMessage.PROPOSE) continue;
      boolean accepted = accepts && response == best;
      int performative = accepted ? ACLMessage.ACCEPT_PROPOSAL : ACLMessage.REJECT_PROPOSAL;
      decisions.add(Responder.reply(response, performative, response.getContent()));
    }
    return decisions;
  }

  private static double price(ACLMessage proposal) {
    return Double.parseDouble(proposal.getContent());
  }
}
