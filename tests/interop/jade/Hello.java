import jade.core.Agent;
import jade.core.behaviours.CyclicBehaviour;
import jade.domain.DFService;
import jade.domain.FIPAAgentManagement.DFAgentDescription;
import jade.domain.FIPAAgentManagement.ServiceDescription;
import jade.domain.FIPAException;
import jade.lang.acl.ACLMessage;

/** An agent that is in the directory as a greeter and greets everybody: for the manual's page. */
public final class Hello extends Agent {
  private static final long serialVersionUID = 1;

  @Override
  protected void setup() {
    ServiceDescription service = new ServiceDescription();
    service.setType("greeting");
    service.setName("greeting");
    DFAgentDescription entry = new DFAgentDescription();
    entry.setName(getAID());
    entry.addServices(service);
    try {
      DFService.register(this, entry);
      System.out.println(getName() + " waits for greetings");
    } catch (FIPAException why) {
      doDelete();
    }
    addBehaviour(new CyclicBehaviour() {
      private static final long serialVersionUID = 1;

      @Override
      public void action() {
        ACLMessage request = myAgent.receive();
        if (request == null) {
          block();
          return;
        }
        System.out.println(request.getSender().getName() + " says: " + request.getContent());
        ACLMessage answer = request.createReply();
        answer.setPerformative(ACLMessage.INFORM);
        answer.setContent("hello from JADE");
        myAgent.send(answer);
      }
    });
  }
}
