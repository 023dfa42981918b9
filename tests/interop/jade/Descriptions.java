import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import jade.domain.FIPAAgentManagement.AMSAgentDescription;
import jade.domain.FIPAAgentManagement.DFAgentDescription;
import jade.domain.FIPAAgentManagement.Property;
import jade.domain.FIPAAgentManagement.SearchConstraints;
import jade.domain.FIPAAgentManagement.ServiceDescription;
import jade.lang.acl.ISO8601;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;

/** The entries of DF and AMS, as JSON and as JADE's objects. */
final class Descriptions {
  private Descriptions() {}

  static DFAgentDescription toEntry(JsonObject json) throws Exception {
    DFAgentDescription entry = new DFAgentDescription();
    if (json.has("name")) entry.setName(Messages.toAid(json.getAsJsonObject("name")));
    for (JsonElement each : Messages.list(json, "services")) {
      entry.addServices(toService(each.getAsJsonObject()));
    }
    each(json, "protocols", entry::addProtocols);
    each(json, "ontologies", entry::addOntologies);
    each(json, "languages", entry::addLanguages);
    if (json.has("lease-time")) {
      entry.setLeaseTime(ISO8601.toDate(json.get("lease-time").getAsString()));
    }
    return entry;
  }

  static JsonObject toJson(DFAgentDescription entry) {
    JsonObject json = new JsonObject();
    if (entry.getName() != null) json.add("name", Messages.toJson(entry.getName()));
    JsonArray services = new JsonArray();
    for (Iterator<?> i = entry.getAllServices(); i.hasNext();) {
      services.add(toJson((ServiceDescription) i.next()));
    }
    json.add("services", services);
    json.add("protocols", texts(entry.getAllProtocols()));
    json.add("ontologies", texts(entry.getAllOntologies()));
    json.add("languages", texts(entry.getAllLanguages()));
    if (entry.getLeaseTime() != null) {
      json.addProperty("lease-time", ISO8601.toString(entry.getLeaseTime()));
    }
    return json;
  }

  static JsonObject toJson(AMSAgentDescription entry) {
    JsonObject json = new JsonObject();
    json.add("name", Messages.toJson(entry.getName()));
    Messages.put(json, "ownership", entry.getOwnership());
    Messages.put(json, "state", entry.getState());
    return json;
  }

  static SearchConstraints toConstraints(JsonObject json) {
    SearchConstraints constraints = new SearchConstraints();
    if (json.has("max-results")) constraints.setMaxResults(json.get("max-results").getAsLong());
    if (json.has("max-depth")) constraints.setMaxDepth(json.get("max-depth").getAsLong());
    constraints.setSearchId(Messages.text(json, "search-id"));
    return constraints;
  }

  private static ServiceDescription toService(JsonObject json) {
    ServiceDescription service = new ServiceDescription();
    service.setName(Messages.text(json, "name"));
    service.setType(Messages.text(json, "type"));
    service.setOwnership(Messages.text(json, "ownership"));
    each(json, "protocols", service::addProtocols);
    each(json, "ontologies", service::addOntologies);
    each(json, "languages", service::addLanguages);
    for (Map.Entry<String, JsonElement> each : Messages.object(json, "properties").entrySet()) {
      service.addProperties(new Property(each.getKey(), each.getValue().getAsString()));
    }
    return service;
  }

  private static JsonObject toJson(ServiceDescription service) {
    JsonObject json = new JsonObject();
    Messages.put(json, "name", service.getName());
    Messages.put(json, "type", service.getType());
    Messages.put(json, "ownership", service.getOwnership());
    json.add("protocols", texts(service.getAllProtocols()));
    json.add("ontologies", texts(service.getAllOntologies()));
    json.add("languages", texts(service.getAllLanguages()));
    JsonObject properties = new JsonObject();
    for (Iterator<?> i = service.getAllProperties(); i.hasNext();) {
      Property each = (Property) i.next();
      properties.addProperty(each.getName(), String.valueOf(each.getValue()));
    }
    json.add("properties", properties);
    return json;
  }

  private static void each(JsonObject json, String key, Consumer<String> use) {
    for (JsonElement each : Messages.list(json, key)) use.accept(each.getAsString());
  }

  private static JsonArray texts(Iterator<?> values) {
    JsonArray json = new JsonArray();
    while (values.hasNext()) json.add(String.valueOf(values.next()));
    return json;
  }
}
