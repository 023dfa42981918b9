import com.google.gson.JsonObject;
import jade.domain.FIPAAgentManagement.FailureException;
import jade.domain.FIPAAgentManagement.RefuseException;
import jade.domain.FIPANames;
import jade.lang.acl.ACLMessage;
import jade.proto.ContractNetResponder;

/**
 * JADE's responder of fipa-contract-net: proposes its price, or refuses if it has none. If
 * `silent`, it does not answer at all. It reports whether its proposal was accepted.
 */
final class Bidder extends Role {
  private static final String PROTOCOL = FIPANames.InteractionProtocol.FIPA_CONTRACT_NET;
  private final String price;
  private final boolean isSilent;
  private final boolean fails;
  private final String content;

  Bidder(JsonObject command) {
    price = Messages.text(command, "price");
    isSilent = command.has("silent") && command.get("silent").getAsBoolean();
    fails = "failure".equals(Messages.text(command, "result"));
    content = Messages.text(command, "content");
  }

  @Override
  boolean takes(ACLMessage message) {
    return !isSilent && PROTOCOL.equalsIgnoreCase(message.getProtocol());
  }

  @Override
  void start(PlayerAgent agent) {
    if (isSilent) return;
    agent.addBehaviour(
        new ContractNetResponder(agent, ContractNetResponder.createMessageTemplate(PROTOCOL)) {
          private static final long serialVersionUID = 1;

          @Override
          protected ACLMessage handleCfp(ACLMessage cfp) throws RefuseException {
            if (price == null) throw new RefuseException("no price");
            return Responder.reply(cfp, ACLMessage.PROPOSE, price);
          }

          @Override
          protected ACLMessage handleAcceptProposal(
              ACLMessage cfp, ACLMessage proposal, ACLMessage acceptance) throws FailureException {
            agent.report(acceptance);
            if (fails) throw new FailureException(content);
            return Responder.reply(acceptance, ACLMessage.INFORM, content);
          }

          @Override
          protected void handleRejectProposal(
              ACLMessage cfp, ACLMessage proposal, ACLMessage rejection) {
            if (rejection != null) agent.report(rejection);
          }
        });
  }
}
