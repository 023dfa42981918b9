import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import jade.core.AID;
import jade.core.Profile;
import jade.core.ProfileImpl;
import jade.core.Runtime;
import jade.imtp.leap.LEAPIMTPManager;
import jade.lang.acl.ACLMessage;
import jade.mtp.MTPException;
import jade.util.leap.ArrayList;
import jade.wrapper.AgentContainer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A platform of JADE that obeys commands: --platform NAME [--port PORT]. It reads one JSON object
 * per line and prints one per line, in the language that ../README.md describes. It ends with its
 * input.
 */
public final class Player {
  private static final int PORTS = 20; // so many free ports may be taken before JADE opens one
  private final String platform;
  private final AgentContainer container;
  private final String address;
  private final Map<String, PlayerAgent> agents = new HashMap<>();

  private Player(String platform, int port) throws Exception {
    this.platform = platform;
    ProfileImpl profile = new ProfileImpl("127.0.0.1", freePort(), platform, true);
    profile.setSpecifiers(Profile.MTPS, new ArrayList());
    profile.setParameter(Profile.LOCAL_HOST, "127.0.0.1");
    profile.setParameter(LEAPIMTPManager.CHANGE_PORT_IF_BUSY, "true");
    profile.setParameter("jade_imtp_leap_JICP_JICPServer_acceptlocalhostonly", "true");
    container = Runtime.instance().createMainContainer(profile);
    if (container == null) throw new IOException("JADE did not make a main container");
    address = openPort(port);
  }

  public static void main(String[] words) throws Exception {
    System.setOut(System.err);
    String platform = null;
    int port = 0;
    for (int i = 0; i + 1 < words.length; i += 2) {
      switch (words[i]) {
        case "--platform" -> platform = words[i + 1];
        case "--port" -> port = Integer.parseInt(words[i + 1]);
        default -> throw new IllegalArgumentException("unknown option " + words[i]);
      }
    }
    if (platform == null) throw new IllegalArgumentException("--platform NAME is missing");
    Player player = new Player(platform, port);
    player.announce();
    player.obey();
    java.lang.Runtime.getRuntime().halt(0);
  }

  /** JADE takes no port 0, so another process may be quicker; then the next port is tried. */
  private String openPort(int port) throws Exception {
    for (int tries = 1; ; ++tries) {
      String url = "http://127.0.0.1:" + (port == 0 ? freePort() : port) + "/acc";
          try {
            container.installMTP(url, "jade.mtp.http.MessageTransportProtocol");
            return url;
          } catch (MTPException why) {
            if (port != 0 || tries == PORTS) throw why;
          }
      }
    }

    private static int freePort() throws IOException {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }

    private void announce() {
      JsonObject line = new JsonObject();
      line.addProperty("event", "ready");
      line.addProperty("player", "JADE " + Runtime.getVersion());
      line.addProperty("platform", platform);
      line.addProperty("address", address);
      line.add("ams", Messages.toJson(here("ams")));
      line.add("df", Messages.toJson(here("df")));
      line.addProperty("charset", "US-ASCII");
      Output.print(line);
    }

    private AID here(String name) {
      AID aid = new AID(name + "@" + platform, AID.ISGUID);
      aid.addAddresses(address);
      return aid;
    }

    private void obey() throws IOException {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonObject command = JsonParser.parseString(line).getAsJsonObject();
        int id = command.get("id").getAsInt();
        String verb = command.get("do").getAsString();
        try {
          obey(id, verb, command);
        } catch (Exception why) {
          Output.refuse(id, why);
        }
      }
    }

    private void obey(int id, String verb, JsonObject command) throws Exception {
      switch (verb) {
      case "agent" -> makeAgent(id, command);
      case "crowd" -> Crowd.start(container, id, command);
      case "couples" -> Output.answer(id, Couples.measure(container, command));
      case "end" -> {
        agent(command).end();
        agents.remove(command.get("agent").getAsString());
        Output.answer(id, new JsonObject());
      }
      case "send" -> begin(id, command, (agent, message) -> {
        agent.send(message);
        Output.answer(id, new JsonObject());
      });
      case "request" -> begin(id, command,
          (agent, message) -> Initiators.request(agent, id, message));
      case "call-for-proposals" -> begin(id, command, (agent, message) ->
          Initiators.callForProposals(agent, id, message, accepts(command)));
      case "subscribe" -> begin(id, command, (agent, message) -> {
        Initiators.subscribe(agent, message, agent::report, null);
        JsonObject fields = new JsonObject();
        fields.addProperty("conversation-id", message.getConversationId());
        Output.answer(id, fields);
      });
      case "cancel" -> ask(id, command, agent -> {
        Initiators.cancel(agent, command.get("conversation-id").getAsString(),
            Messages.toAid(command.getAsJsonObject("publisher")));
        return new JsonObject();
      });
      case "publish" -> ask(id, command, agent -> {
        JsonObject fields = new JsonObject();
        fields.addProperty("subscribers", agent.role().publish(command));
        return fields;
      });
      case "df-register", "df-modify", "df-deregister", "df-search" ->
          ask(id, command, agent -> Services.askDf(agent, verb, command));
      case "df-subscribe" -> ask(id, command, agent -> Services.subscribe(agent, command));
      case "df-federate" -> ask(id, command, agent -> Services.federate(agent, command));
      case "df-leave" -> ask(id, command, agent -> Services.leave(agent, command));
      case "ams-search" -> ask(id, command, agent -> Services.searchAms(agent, command));
      case "ams-describe" -> ask(id, command, agent -> Services.describe(agent, command));
      default -> throw new IllegalArgumentException("there is no verb " + verb);
    }
  }

  private void makeAgent(int id, JsonObject command) throws Exception {
    String name = command.get("agent").getAsString();
    PlayerAgent agent = new PlayerAgent(Role.of(command));
    container.acceptNewAgent(name, agent).start();
    agent.awaitStart();
    agents.put(name, agent);
    JsonObject fields = new JsonObject();
    fields.add("aid", Messages.toJson(here(name)));
    Output.answer(id, fields);
  }

  private PlayerAgent agent(JsonObject command) {
    PlayerAgent agent = agents.get(command.get("agent").getAsString());
    if (agent == null) throw new IllegalArgumentException("there is no such agent");
    return agent;
  }

  private static boolean accepts(JsonObject command) {
    return !command.has("accepts") || command.get("accepts").getAsBoolean();
  }

  private interface Beginning {
    void run(PlayerAgent agent, ACLMessage message) throws Exception;
  }

  private interface Question {
    JsonObject run(PlayerAgent agent) throws Exception;
  }

  private void begin(int id, JsonObject command, Beginning beginning) throws Exception {
    PlayerAgent agent = agent(command);
    ACLMessage message = Messages.toMessage(command.getAsJsonObject("message"), agent.getAID());
    agent.act(id, () -> beginning.run(agent, message));
  }

  private void ask(int id, JsonObject command, Question question) {
    PlayerAgent agent = agent(command);
    agent.act(id, () -> Output.answer(id, question.run(agent)));
  }
}
