import jade.content.AgentAction;
import jade.content.Concept;
import jade.content.lang.sl.SLCodec;
import jade.content.onto.BeanOntology;
import jade.content.onto.BeanOntologyException;
import jade.content.onto.basic.Action;
import jade.core.AID;
import jade.core.Agent;
import jade.core.Profile;
import jade.core.ProfileImpl;
import jade.core.Runtime;
import jade.core.behaviours.CyclicBehaviour;
import jade.core.behaviours.FSMBehaviour;
import jade.core.behaviours.OneShotBehaviour;
import jade.core.behaviours.ParallelBehaviour;
import jade.core.behaviours.SequentialBehaviour;
import jade.core.behaviours.TickerBehaviour;
import jade.core.behaviours.WakerBehaviour;
import jade.core.messaging.TopicManagementHelper;
import jade.domain.DFService;
import jade.domain.FIPAAgentManagement.DFAgentDescription;
import jade.domain.FIPAAgentManagement.ServiceDescription;
import jade.domain.FIPAException;
import jade.domain.FIPANames;
import jade.lang.acl.ACLMessage;
import jade.lang.acl.MessageTemplate;
import jade.proto.AchieveREInitiator;
import jade.proto.AchieveREResponder;
import jade.proto.ContractNetInitiator;
import jade.proto.ProposeInitiator;
import jade.proto.SubscriptionInitiator;
import jade.wrapper.AgentContainer;
import jade.wrapper.AgentController;
import jade.wrapper.gateway.JadeGateway;
import java.util.Vector;

/**
 * The JADE side of the manual's page "Coming from JADE", so that a compiler has seen it. Nobody
 * runs it.
 */
@SuppressWarnings({"serial", "unchecked"})
final class Manual {
  private Manual() {}

  static void start() throws Exception {
    Profile profile = new ProfileImpl();
    AgentContainer container = Runtime.instance().createMainContainer(profile);
    Object[] arguments = {10};
    container.createNewAgent("bob", "Seller", arguments).start();
  }

  static final class Seller extends Agent {
    private int price;

    @Override
    protected void setup() {
      price = (Integer) getArguments()[0];
      ServiceDescription service = new ServiceDescription();
      service.setType("book-selling");
      service.setName("books");
      DFAgentDescription entry = new DFAgentDescription();
      entry.setName(getAID());
      entry.addServices(service);
      try {
        DFService.register(this, entry);
      } catch (FIPAException why) {
        doDelete();
      }
      addBehaviour(new CyclicBehaviour() {
        @Override
        public void action() {
          ACLMessage cfp = myAgent.receive(MessageTemplate.MatchPerformative(ACLMessage.CFP));
          if (cfp == null) {
            block();
            return;
          }
          ACLMessage offer = cfp.createReply();
          offer.setPerformative(ACLMessage.PROPOSE);
          offer.setContent(String.valueOf(price));
          myAgent.send(offer);
        }
      });
    }

    @Override
    protected void takeDown() {
      try {
        DFService.deregister(this);
      } catch (FIPAException why) {
        why.printStackTrace();
      }
    }
  }

  static final class Cook extends Agent {
    private int turns;

    private OneShotBehaviour step(String what) {
      return new OneShotBehaviour() {
        @Override
        public void action() {
          System.out.println(what);
        }
      };
    }

    @Override
    protected void setup() {
      addBehaviour(new TickerBehaviour(this, 1) {
        @Override
        protected void onTick() {
          ++turns;
        }
      });
      addBehaviour(new WakerBehaviour(this, 5) {
        @Override
        protected void onWake() {
          System.out.println("the water boils");
        }
      });

      SequentialBehaviour steps = new SequentialBehaviour();
      steps.addSubBehaviour(step("washes"));
      steps.addSubBehaviour(step("peels"));

      ParallelBehaviour both = new ParallelBehaviour(ParallelBehaviour.WHEN_ALL);
      both.addSubBehaviour(step("onions"));
      both.addSubBehaviour(step("carrots"));
      steps.addSubBehaviour(both);

      FSMBehaviour states = new FSMBehaviour();
      states.registerFirstState(step("heats it"), "raw");
      states.registerLastState(step("serves it"), "hot");
      states.registerDefaultTransition("raw", "hot");
      steps.addSubBehaviour(states);
      addBehaviour(steps);
    }
  }

  static final class Buyer extends Agent {
    void find() throws FIPAException {
      ServiceDescription service = new ServiceDescription();
      service.setType("book-selling");
      DFAgentDescription wanted = new DFAgentDescription();
      wanted.addServices(service);
      for (DFAgentDescription each : DFService.search(this, wanted))
        System.out.println("found " + each.getName().getLocalName());
      ACLMessage subscription =
          DFService.createSubscriptionMessage(this, getDefaultDF(), wanted, null);
      addBehaviour(new SubscriptionInitiator(this, subscription) {
        @Override
        protected void handleInform(ACLMessage notice) {
          System.out.println("the directory has changed");
        }
      });
    }

    void askForAPrice() {
      ACLMessage call = new ACLMessage(ACLMessage.CFP);
      call.addReceiver(new AID("bob", AID.ISLOCALNAME));
      call.setConversationId("books");
      call.setReplyWith("q1");
      send(call);

      MessageTemplate template = MessageTemplate.and(
          MessageTemplate.MatchConversationId("books"), MessageTemplate.MatchInReplyTo("q1"));
      ACLMessage answer = blockingReceive(template, 5000);
      if (answer != null) System.out.println("the price is " + answer.getContent());
    }

    void request(ACLMessage message) {
      message.setProtocol(FIPANames.InteractionProtocol.FIPA_REQUEST);
      addBehaviour(new AchieveREInitiator(this, message) {
        @Override
        protected void handleInform(ACLMessage result) {
          System.out.println("the clerk: " + result.getContent());
        }
      });
    }

    void callForProposals(ACLMessage message) {
      addBehaviour(new ContractNetInitiator(this, message) {
        @Override
        protected void handleAllResponses(Vector responses, Vector decisions) {
          ACLMessage best = null;
          for (Object each : responses) {
            ACLMessage offer = (ACLMessage) each;
            if (offer.getPerformative() != ACLMessage.PROPOSE) continue;
            ACLMessage decision = offer.createReply();
            decision.setPerformative(ACLMessage.REJECT_PROPOSAL);
            decisions.add(decision);
            if (best == null || price(offer) < price(best)) best = offer;
          }
          if (best == null) return;
          ACLMessage decision = best.createReply();
          decision.setPerformative(ACLMessage.ACCEPT_PROPOSAL);
          decisions.add(decision);
        }

        @Override
        protected void handleInform(ACLMessage result) {
          System.out.println("the clerk: " + result.getContent());
        }
      });
    }

    void subscribe(ACLMessage message) {
      addBehaviour(new SubscriptionInitiator(this, message) {
        @Override
        protected void handleInform(ACLMessage news) {
          System.out.println("the clerk: " + news.getContent());
          cancel(news.getSender(), false);
        }
      });
    }

    void propose(ACLMessage message) {
      addBehaviour(new ProposeInitiator(this, message) {
        @Override
        protected void handleAcceptProposal(ACLMessage reply) {
          System.out.println("the clerk accepts");
        }
      });
    }

    private static int price(ACLMessage offer) { return Integer.parseInt(offer.getContent()); }
  }

  static final class Clerk extends Agent {
    @Override
    protected void setup() {
      MessageTemplate template =
          AchieveREResponder.createMessageTemplate(FIPANames.InteractionProtocol.FIPA_REQUEST);
      addBehaviour(new AchieveREResponder(this, template) {
        @Override
        protected ACLMessage handleRequest(ACLMessage request) {
          ACLMessage agree = request.createReply();
          agree.setPerformative(ACLMessage.AGREE);
          return agree;
        }

        @Override
        protected ACLMessage prepareResultNotification(ACLMessage request, ACLMessage agree) {
          ACLMessage done = request.createReply();
          done.setPerformative(ACLMessage.INFORM);
          done.setContent("it is done");
          return done;
        }
      });
    }
  }

  static final class Gardener extends Agent {
    void listen() throws Exception {
      TopicManagementHelper topics =
          (TopicManagementHelper) getHelper(TopicManagementHelper.SERVICE_NAME);
      AID weather = topics.createTopic("weather");
      topics.register(weather);
      ACLMessage news = blockingReceive(MessageTemplate.MatchTopic(weather));
      System.out.println("the gardener: " + news.getContent());
    }

    void tell(AID weather) {
      ACLMessage news = new ACLMessage(ACLMessage.INFORM);
      news.addReceiver(weather);
      news.setContent("rain tomorrow");
      send(news);
    }
  }

  public static final class Book implements Concept {
    private String title;
    private int pages;

    public String getTitle() { return title; }

    public void setTitle(String title) { this.title = title; }

    public int getPages() { return pages; }

    public void setPages(int pages) { this.pages = pages; }
  }

  public static final class Sell implements AgentAction {
    private Book book;

    public Book getBook() { return book; }

    public void setBook(Book book) { this.book = book; }
  }

  static final class Books extends BeanOntology {
    Books() throws BeanOntologyException {
      super("books");
      add(Book.class);
      add(Sell.class);
    }
  }

  static final class Reader extends Agent {
    void fill(ACLMessage message, AID bob, Sell sell) throws Exception {
      getContentManager().registerLanguage(new SLCodec());
      getContentManager().registerOntology(new Books());
      message.setLanguage("fipa-sl");
      message.setOntology("books");
      getContentManager().fillContent(message, new Action(bob, sell));
      Action action = (Action) getContentManager().extractContent(message);
      System.out.println("the title is " + ((Sell) action.getAction()).getBook().getTitle());
    }
  }

  static void askFromOutside() throws Exception {
    JadeGateway.init(null, new jade.util.leap.Properties());
    JadeGateway.execute(new OneShotBehaviour() {
      @Override
      public void action() {
        ACLMessage cfp = new ACLMessage(ACLMessage.CFP);
        cfp.addReceiver(new AID("bob", AID.ISLOCALNAME));
        myAgent.send(cfp);
        ACLMessage offer =
            myAgent.blockingReceive(MessageTemplate.MatchPerformative(ACLMessage.PROPOSE), 5000);
        if (offer != null) System.out.println("main is told " + offer.getContent());
      }
    });
    JadeGateway.shutdown();
  }

  static void giveAnObject(AgentController bob) throws Exception {
    bob.putO2AObject(new Book(), AgentController.ASYNC);
  }
}
