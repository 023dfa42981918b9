import com.google.gson.JsonObject;
import jade.domain.FIPAAgentManagement.FailureException;
import jade.domain.FIPAAgentManagement.NotUnderstoodException;
import jade.domain.FIPAAgentManagement.RefuseException;
import jade.domain.FIPANames;
import jade.lang.acl.ACLMessage;
import jade.proto.AchieveREResponder;

/** JADE's responder of fipa-request and its relatives, with a result that the command chose. */
final class Responder extends Role {
  private final String protocol;
  private final boolean agrees;
  private final String result;
  private final String content;

  Responder(JsonObject command) {
    String wanted = Messages.text(command, "protocol");
    protocol = wanted == null ? FIPANames.InteractionProtocol.FIPA_REQUEST : wanted;
    agrees = command.has("agrees") && command.get("agrees").getAsBoolean();
    result = command.get("result").getAsString();
    content = Messages.text(command, "content");
  }

  @Override
  boolean takes(ACLMessage message) {
    return protocol.equalsIgnoreCase(message.getProtocol());
  }

  @Override
  void start(PlayerAgent agent) {
    agent.addBehaviour(
        new AchieveREResponder(agent, AchieveREResponder.createMessageTemplate(protocol)) {
          private static final long serialVersionUID = 1;

          @Override
          protected ACLMessage handleRequest(ACLMessage request)
              throws NotUnderstoodException, RefuseException {
            agent.report(request);
            if (result.equals("refuse")) throw new RefuseException(content);
            if (result.equals("not-understood")) throw new NotUnderstoodException(content);
            return agrees ? reply(request, ACLMessage.AGREE, null) : null;
          }

          @Override
          protected ACLMessage prepareResultNotification(ACLMessage request, ACLMessage response)
              throws FailureException {
            if (result.equals("failure")) throw new FailureException(content);
            return reply(request, ACLMessage.INFORM, content);
          }
        });
  }

  static ACLMessage reply(ACLMessage to, int performative, String content) {
    ACLMessage reply = to.createReply();
    reply.setPerformative(performative);
    reply.setContent(content);
    return reply;
  }
}
