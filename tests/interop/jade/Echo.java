import jade.core.behaviours.CyclicBehaviour;
import jade.lang.acl.ACLMessage;
import jade.lang.acl.MessageTemplate;

/** Answers each request by an inform with the same content, in the same encoding of characters. */
final class Echo extends Role {
  @Override
  boolean takes(ACLMessage message) {
    return message.getPerformative() == ACLMessage.REQUEST;
  }

  @Override
  void start(PlayerAgent agent) {
    agent.addBehaviour(new Answering());
  }

  private static ACLMessage answer(ACLMessage request) {
    ACLMessage reply = request.createReply();
    reply.setPerformative(ACLMessage.INFORM);
    if (request.hasByteSequenceContent()) {
      reply.setByteSequenceContent(request.getByteSequenceContent());
    } else {
      reply.setContent(request.getContent());
    }
    if (request.getEnvelope() != null && request.getEnvelope().getPayloadEncoding() != null) {
      if (reply.getEnvelope() == null) reply.setDefaultEnvelope();
      reply.getEnvelope().setPayloadEncoding(request.getEnvelope().getPayloadEncoding());
    }
    return reply;
  }

  private static final class Answering extends CyclicBehaviour {
    private static final long serialVersionUID = 1;
    private final transient MessageTemplate requests =
        MessageTemplate.MatchPerformative(ACLMessage.REQUEST);

    @Override
    public void action() {
      ACLMessage request = myAgent.receive(requests);
      if (request == null) {
        block();
      } else {
        myAgent.send(answer(request));
      }
    }
  }
}
