import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import jade.content.AgentAction;
import jade.content.lang.sl.SLCodec;
import jade.content.onto.basic.Action;
import jade.core.AID;
import jade.domain.AMSService;
import jade.domain.DFGUIManagement.DFAppletOntology;
import jade.domain.DFGUIManagement.DeregisterFrom;
import jade.domain.DFGUIManagement.Federate;
import jade.domain.DFService;
import jade.domain.FIPAAgentManagement.AMSAgentDescription;
import jade.domain.FIPAAgentManagement.DFAgentDescription;
import jade.domain.FIPAAgentManagement.FIPAManagementVocabulary;
import jade.domain.FIPAAgentManagement.SearchConstraints;
import jade.domain.FIPAAgentManagement.ServiceDescription;
import jade.domain.FIPAException;
import jade.domain.FIPANames;
import jade.domain.FIPAService;
import jade.lang.acl.ACLMessage;

/** Questions to a DF or an AMS, of this platform or of another one, by JADE's own classes. */
final class Services {
  private Services() {}

  static JsonObject askDf(PlayerAgent agent, String verb, JsonObject command) throws Exception {
    AID df =
        command.has("df") ? Messages.toAid(command.getAsJsonObject("df")) : agent.getDefaultDF();
    DFAgentDescription entry = Descriptions.toEntry(Messages.object(command, "entry"));
    JsonObject fields = new JsonObject();
    switch (verb) {
      case "df-register" -> fields.add("entry", json(DFService.register(agent, df, entry)));
      case "df-modify" -> fields.add("entry", json(DFService.modify(agent, df, entry)));
      case "df-deregister" -> DFService.deregister(agent, df, entry);
      default -> fields.add("entries", json(DFService.search(agent, df, entry,
          Descriptions.toConstraints(Messages.object(command, "constraints")))));
    }
    return fields;
  }

  /** Reports each notice of the DF as `found`. */
  static JsonObject subscribe(PlayerAgent agent, JsonObject command) throws Exception {
    AID df = command.has("df") ? Messages.toAid(command.getAsJsonObject("df"))
                               :
        agent.getDefaultDF();
        DFAgentDescription entry = Descriptions.toEntry(Messages.object(command, "entry"));
        SearchConstraints constraints =
            Descriptions.toConstraints(Messages.object(command, "constraints"));
        ACLMessage message = DFService.createSubscriptionMessage(agent, df, entry, constraints);
        String cancelContent = DFService.createCancelMessage(agent, df, message).getContent();
        Initiators.subscribe(agent, message, notice -> found(agent, notice), cancelContent);
        JsonObject fields = new JsonObject();
        fields.addProperty("conversation-id", message.getConversationId());
        return fields;
    }

    private static void found(PlayerAgent agent, ACLMessage notice) {
      JsonObject line = Output.event("found", agent.getLocalName());
      try {
        line.add("entries", json(DFService.decodeNotification(notice.getContent())));
      } catch (FIPAException why) {
        line.addProperty("error", why.getMessage());
      }
      line.add("message", Messages.toJson(notice));
      Output.print(line);
    }

    /** Makes this platform's DF register with the one of the command. */
    static JsonObject federate(PlayerAgent agent, JsonObject command) throws Exception {
      ServiceDescription service = new ServiceDescription();
      service.setName("df-service");
      service.setType("fipa-df");
      DFAgentDescription description = new DFAgentDescription();
      description.setName(agent.getDefaultDF());
      description.addServices(service);
      Federate federate = new Federate();
      federate.setDf(Messages.toAid(command.getAsJsonObject("df")));
      federate.setDescription(description);
      return tellDf(agent, federate);
    }

    /** Ends that. */
    static JsonObject leave(PlayerAgent agent, JsonObject command) throws Exception {
      DFAgentDescription description = new DFAgentDescription();
      description.setName(agent.getDefaultDF());
      DeregisterFrom leave = new DeregisterFrom();
      leave.setDf(Messages.toAid(command.getAsJsonObject("df")));
      leave.setDescription(description);
      return tellDf(agent, leave);
    }

    private static JsonObject tellDf(PlayerAgent agent, AgentAction action) throws Exception {
      AID df = agent.getDefaultDF();
      agent.getContentManager().registerLanguage(
          new SLCodec(0), FIPANames.ContentLanguage.FIPA_SL0);
      agent.getContentManager().registerOntology(DFAppletOntology.getInstance());
      ACLMessage message = request(df, DFAppletOntology.getInstance().getName());
      agent.getContentManager().fillContent(message, new Action(df, action));
      FIPAService.doFipaRequestClient(agent, message);
      return new JsonObject();
    }

    static JsonObject searchAms(PlayerAgent agent, JsonObject command) throws Exception {
      AMSAgentDescription entry = new AMSAgentDescription();
      if (command.has("name")) entry.setName(Messages.toAid(command.getAsJsonObject("name")));
      entry.setState(Messages.text(command, "state"));
      JsonArray entries = new JsonArray();
      for (AMSAgentDescription each : AMSService.search(agent, ams(agent, command), entry,
               Descriptions.toConstraints(Messages.object(command, "constraints")))) {
        entries.add(Descriptions.toJson(each));
      }
      JsonObject fields = new JsonObject();
      fields.add("entries", entries);
      return fields;
    }

    /** Answers with the text in which the AMS describes its platform. */
    static JsonObject describe(PlayerAgent agent, JsonObject command) throws Exception {
      AID ams = ams(agent, command);
      ACLMessage message = request(ams, FIPAManagementVocabulary.NAME);
      message.setContent("((action " + ams + " (get-description)))");
      ACLMessage reply = FIPAService.doFipaRequestClient(agent, message);
      JsonObject fields = new JsonObject();
      fields.addProperty("content", reply.getContent());
      return fields;
    }

    private static AID ams(PlayerAgent agent, JsonObject command) {
      return command.has("ams") ? Messages.toAid(command.getAsJsonObject("ams")) : agent.getAMS();
    }

    private static ACLMessage request(AID receiver, String ontology) {
      ACLMessage message = new ACLMessage(ACLMessage.REQUEST);
      message.addReceiver(receiver);
      message.setProtocol(FIPANames.InteractionProtocol.FIPA_REQUEST);
      message.setLanguage(FIPANames.ContentLanguage.FIPA_SL0);
      message.setOntology(ontology);
      message.setConversationId("player-" + System.nanoTime());
      message.setReplyWith("player-" + System.nanoTime());
      return message;
    }

    private static JsonObject json(DFAgentDescription entry) {
      return entry == null ? new JsonObject() : Descriptions.toJson(entry);
    }

    private static JsonArray json(DFAgentDescription[] entries) {
      JsonArray json = new JsonArray();
      for (DFAgentDescription each : entries) json.add(Descriptions.toJson(each));
      return json;
    }
  }
