import com.google.gson.JsonObject;
import jade.domain.FIPAAgentManagement.RefuseException;
import jade.domain.FIPANames;
import jade.lang.acl.ACLMessage;
import jade.proto.SubscriptionResponder;
import jade.proto.SubscriptionResponder.Subscription;
import jade.proto.SubscriptionResponder.SubscriptionManager;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** JADE's responder of fipa-subscribe. It agrees, or refuses with a text that the command chose. */
final class Publisher extends Role {
  private static final String PROTOCOL = FIPANames.InteractionProtocol.FIPA_SUBSCRIBE;
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private final String refusal;

  Publisher(JsonObject command) { refusal = Messages.text(command, "refusal"); }

  @Override
  boolean takes(ACLMessage message) {
    return PROTOCOL.equalsIgnoreCase(message.getProtocol());
  }

  @Override
  int publish(JsonObject notice) throws Exception {
    for (Subscription each : subscriptions) {
      ACLMessage message = new ACLMessage(ACLMessage.INFORM);
      Messages.setContent(message, notice);
      each.notify(message);
    }
    return subscriptions.size();
  }

  @Override
  void start(PlayerAgent agent) {
    SubscriptionManager manager = new SubscriptionManager() {
      @Override
      public boolean register(Subscription subscription) {
        return subscriptions.add(subscription);
      }

      @Override
      public boolean deregister(Subscription subscription) {
        return subscriptions.remove(subscription);
      }
    };
    agent.addBehaviour(new SubscriptionResponder(
        agent, SubscriptionResponder.createMessageTemplate(ACLMessage.SUBSCRIBE), manager) {
      private static final long serialVersionUID = 1;

      @Override
      protected ACLMessage handleSubscription(ACLMessage message) throws RefuseException {
        if (refusal != null) throw new RefuseException(refusal);
        subscriptions.add(createSubscription(message));
        agent.report(message);
        return Responder.reply(message, ACLMessage.AGREE, null);
      }

      @Override
      protected ACLMessage handleCancel(ACLMessage message)
          throws jade.domain.FIPAAgentManagement.FailureException {
        super.handleCancel(message);
        agent.report(message);
        return null;
      }
    });
  }
}
