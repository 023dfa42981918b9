import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The lines that the player prints: one JSON object each. JADE's own output goes elsewhere. */
final class Output {
  private static final PrintStream LINES =
      new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private Output() {}

  static synchronized void print(JsonObject line) {
    LINES.println(GSON.toJson(line));
    LINES.flush();
  }

  static void answer(int id, JsonObject fields) {
    JsonObject line = new JsonObject();
    line.addProperty("id", id);
    line.add("ok", fields);
    print(line);
  }

  static void refuse(int id, Throwable why) {
    JsonObject line = new JsonObject();
    line.addProperty("id", id);
    line.addProperty("error", String.valueOf(why.getMessage() == null ? why : why.getMessage()));
    print(line);
  }

  static JsonObject event(String kind, String agent) {
    JsonObject line = new JsonObject();
    line.addProperty("event", kind);
    line.addProperty("agent", agent);
    return line;
  }
}
