import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import jade.core.AID;
import jade.domain.FIPAAgentManagement.Envelope;
import jade.lang.acl.ACLMessage;
import jade.lang.acl.ISO8601;
import java.util.Base64;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Messages and names of agents, as JSON and as JADE's objects. */
final class Messages {
  private Messages() {}

  static AID toAid(JsonObject json) {
    AID aid = new AID(json.get("name").getAsString(), AID.ISGUID);
    for (JsonElement each : list(json, "addresses")) aid.addAddresses(each.getAsString());
    for (JsonElement each : list(json, "resolvers"))
      aid.addResolvers(toAid(each.getAsJsonObject()));
    for (Map.Entry<String, JsonElement> each : object(json, "user").entrySet()) {
      aid.addUserDefinedSlot(each.getKey(), each.getValue().getAsString());
    }
    return aid;
  }

  static JsonObject toJson(AID aid) {
    JsonObject json = new JsonObject();
    json.addProperty("name", aid.getName());
    JsonArray addresses = new JsonArray();
    for (String each : aid.getAddressesArray()) addresses.add(each);
    json.add("addresses", addresses);
    if (aid.getResolversArray().length > 0) {
      JsonArray resolvers = new JsonArray();
      for (AID each : aid.getResolversArray()) resolvers.add(toJson(each));
      json.add("resolvers", resolvers);
    }
    putProperties(json, aid.getAllUserDefinedSlot());
    return json;
  }

  /** The sender is `sender`, unless the message names another one. */
  static ACLMessage toMessage(JsonObject json, AID sender) throws Exception {
    ACLMessage message = new ACLMessage(performative(json.get("performative").getAsString()));
    message.setSender(json.has("sender") ? toAid(json.getAsJsonObject("sender")) : sender);
    for (JsonElement each : list(json, "receivers")) {
      message.addReceiver(toAid(each.getAsJsonObject()));
    }
    for (JsonElement each : list(json, "reply-to"))
      message.addReplyTo(toAid(each.getAsJsonObject()));
    setContent(message, json);
    message.setReplyWith(text(json, "reply-with"));
    message.setInReplyTo(text(json, "in-reply-to"));
    message.setEncoding(text(json, "encoding"));
    message.setLanguage(text(json, "language"));
    message.setOntology(text(json, "ontology"));
    message.setProtocol(text(json, "protocol"));
    message.setConversationId(text(json, "conversation-id"));
    if (json.has("reply-by")) {
      message.setReplyByDate(ISO8601.toDate(json.get("reply-by").getAsString()));
    }
    for (Map.Entry<String, JsonElement> each : object(json, "user").entrySet()) {
      message.addUserDefinedParameter(each.getKey(), each.getValue().getAsString());
    }
    if (json.has("envelope")) {
      JsonObject wanted = json.getAsJsonObject("envelope");
      message.setDefaultEnvelope();
      Envelope envelope = message.getEnvelope();
      envelope.setPayloadEncoding(text(wanted, "payload-encoding"));
      envelope.setComments(text(wanted, "comments"));
      if (wanted.has("acl-representation")) {
        envelope.setAclRepresentation(text(wanted, "acl-representation"));
      }
    }
    return message;
  }

  /** The content is text, or bytes in Base64, or missing. */
  static void setContent(ACLMessage message, JsonObject json) {
    if (json.has("bytes")) {
      message.setByteSequenceContent(Base64.getDecoder().decode(json.get("bytes").getAsString()));
    } else if (json.has("content")) {
      message.setContent(json.get("content").getAsString());
    }
  }

  static JsonObject toJson(ACLMessage message) {
    JsonObject json = new JsonObject();
    String performative = ACLMessage.getPerformative(message.getPerformative());
    json.addProperty("performative", performative.toLowerCase(Locale.ROOT));
    if (message.getSender() != null) json.add("sender", toJson(message.getSender()));
    json.add("receivers", aids(message.getAllReceiver()));
    json.add("reply-to", aids(message.getAllReplyTo()));
    if (message.hasByteSequenceContent()) {
      byte[] bytes = message.getByteSequenceContent();
      json.addProperty("bytes", Base64.getEncoder().encodeToString(bytes));
    } else {
      put(json, "content", message.getContent());
    }
    put(json, "reply-with", message.getReplyWith());
    put(json, "in-reply-to", message.getInReplyTo());
    put(json, "encoding", message.getEncoding());
    put(json, "language", message.getLanguage());
    put(json, "ontology", message.getOntology());
    put(json, "protocol", message.getProtocol());
    put(json, "conversation-id", message.getConversationId());
    if (message.getReplyByDate() != null) {
      json.addProperty("reply-by", ISO8601.toString(message.getReplyByDate()));
    }
    putProperties(json, message.getAllUserDefinedParameters());
    Envelope envelope = message.getEnvelope();
    if (envelope != null) {
      JsonObject seen = new JsonObject();
      put(seen, "payload-encoding", envelope.getPayloadEncoding());
      put(seen, "comments", envelope.getComments());
      put(seen, "acl-representation", envelope.getAclRepresentation());
      json.add("envelope", seen);
    }
    return json;
  }

  static int performative(String name) {
    int number = ACLMessage.getInteger(name);
    if (number < 0) throw new IllegalArgumentException("there is no performative " + name);
    return number;
  }

  static JsonArray list(JsonObject json, String key) {
    return json.has(key) ? json.getAsJsonArray(key) : new JsonArray();
  }

  static JsonObject object(JsonObject json, String key) {
    return json.has(key) ? json.getAsJsonObject(key) : new JsonObject();
  }

  static String text(JsonObject json, String key) {
    return json.has(key) ? json.get(key).getAsString() : null;
  }

  static void put(JsonObject json, String key, String value) {
    if (value != null) json.addProperty(key, value);
  }

  private static void putProperties(JsonObject json, Properties properties) {
    if (properties == null || properties.isEmpty()) return;
    JsonObject user = new JsonObject();
    for (String key : properties.stringPropertyNames()) {
      user.addProperty(key, properties.getProperty(key));
    }
    json.add("user", user);
  }

  private static JsonArray aids(Iterator<?> names) {
    JsonArray json = new JsonArray();
    while (names.hasNext()) json.add(toJson((AID) names.next()));
    return json;
  }
}
