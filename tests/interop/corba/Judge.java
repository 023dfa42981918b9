import FIPA.*;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.WStringValueHelper;
import org.omg.CORBA.portable.ObjectImpl;
import org.omg.CORBA.portable.OutputStream;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

/**
 * Another object request broker judges the mirror: Judge IOR HOST:PORT/KEY. Each line of output is
 * a sentence that is true; the first that is not ends the program with 1.
 */
public final class Judge {
  private final ORB orb;
  private final String place;
  private final MTS mirror;
  private final String own;
  private final BlockingQueue<FipaMessage> received = new LinkedBlockingQueue<>();

  private final class Platform extends MTSPOA {
    @Override
    public void message(FipaMessage letter) {
      if (letter.messageEnvelopes[0].comments.equals("refuse this"))
        throw new org.omg.CORBA.NO_RESOURCES();
      received.add(letter);
    }
  }

  private Judge(ORB orb, String reference, String place) throws Exception {
    this.orb = orb;
    this.place = place;
    POA adapter = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    adapter.the_POAManager().activate();
    own = orb.object_to_string(adapter.servant_to_reference(new Platform()));
    mirror = MTSHelper.narrow(orb.string_to_object(reference));
  }

  public static void main(String[] words) throws Exception {
    Judge judge = new Judge(ORB.init(new String[0], new Properties()), words[0], words[1]);
    try {
      judge.all();
    } catch (SystemException | Wrong why) {
      System.out.println("NOT TRUE: " + why);
      why.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  // --- letters ---

  private AgentID agent(String name, AgentID... resolvers) {
    return new AgentID(name, new String[] {own}, resolvers, new Property[0]);
  }

  private Envelope envelope(String comments) {
    return new Envelope(new AgentID[0], new AgentID[] {agent("judge@java")}, comments, "", 0, "",
        new DateTime[0], new String[0], new AgentID[0], new ReceivedObject[0], new Property[0][],
        new Property[0]);
  }

  private static FipaMessage letter(byte[] body, Envelope... envelopes) {
    return new FipaMessage(envelopes, body);
  }

  private FipaMessage letter(String comments) { return letter(new byte[0], envelope(comments)); }

  private Property property(String name, Consumer<Any> fill) {
    Any value = orb.create_any();
    fill.accept(value);
    return new Property(name, value);
  }

  private FipaMessage next() throws InterruptedException {
    FipaMessage letter = received.poll(40, TimeUnit.SECONDS);
    if (letter == null) throw new Wrong("no letter comes back");
    return letter;
  }

  /** Sends a letter and returns it as it comes back, with its only envelope. */
  private FipaMessage mirrored(FipaMessage letter) throws InterruptedException {
    mirror.message(letter);
    return next();
  }

  /** Sends a letter and waits for the answer, which the interface does not have. */
  private void ask(FipaMessage letter) throws Exception {
    ObjectImpl object = (ObjectImpl) mirror;
    OutputStream out = object._request("message", true);
    FipaMessageHelper.write(out, letter);
    object._releaseReply(object._invoke(out));
  }

  private String refusal(FipaMessage letter) throws Exception {
    try {
      ask(letter);
    } catch (SystemException why) {
      return why.getClass().getSimpleName();
    }
    return "none";
  }

  // --- sentences ---

  private void all() throws Exception {
    theObjectIsAnMts();
    anEmptyLetterComesBack();
    everyFieldComesBack();
    textsBeyondAsciiComeBack();
    valuesOfPropertiesAreRead();
    aMebibyteComesBack();
    lettersKeepTheirOrder();
    refusalsAreExceptions();
    ourRefusalIsReported();
    corbalocsWork();
  }

  private void theObjectIsAnMts() {
    require(!mirror._non_existent(), "it does not exist");
    require(mirror._is_a("IDL:FIPA/MTS:1.0"), "it is no MTS");
    done("the object is an MTS");
  }

  private void anEmptyLetterComesBack() throws Exception {
    FipaMessage back = mirrored(letter(""));
    require(back.messageEnvelopes.length == 1 && back.messageBody.length == 0, "it is not empty");
    same(own, back.messageEnvelopes[0].from[0].addresses[0]);
    done("an empty letter comes back");
  }

  private void everyFieldComesBack() throws Exception {
    DateTime date = new DateTime(
        (short) 2023, (short) 11, (short) 14, (short) 22, (short) 13, (short) 20, (short) 123, 'Z');
    DateTime local = new DateTime(
        (short) 2024, (short) 2, (short) 29, (short) 0, (short) 0, (short) 59, (short) 0, ' ');
    Envelope sent = envelope("a comment");
    sent.to = new AgentID[] {agent("a@x"), agent("b@x", agent("r@x", agent("s@x")))};
    sent.aclRepresentation = "fipa.acl.rep.string.std";
    sent.payloadLength = 3;
    sent.payloadEncoding = "UTF-8";
    sent.date = new DateTime[] {date};
    sent.intendedReceiver = new AgentID[] {agent("c@x")};
    sent.received = new ReceivedObject[] {new ReceivedObject("by", "from", local, "id", "via")};
    sent.userDefinedProperties = new Property[] {property("k", any -> any.insert_string("v"))};
    sent.to[0].userDefinedProperties =
        new Property[] {property("of an agent", any -> any.insert_string("w"))};
    byte[] body = {0, 1, -1};
    FipaMessage back = mirrored(letter(body, sent));
    Envelope read = back.messageEnvelopes[0];
    require(Arrays.equals(body, back.messageBody), "the body is another one");
    same(text(sent), text(read));
    done("every field comes back");
  }

  private void textsBeyondAsciiComeBack() throws Exception {
    for (String each : List.of("gr\u00fc\u00df dich", "\u6f22\u5b57", "\ud83d\ude00"))
      same(each, mirrored(letter(each)).messageEnvelopes[0].comments);
    done("texts beyond ASCII come back");
  }

  /** JacORB writes no boxes with this Java; see ../README.md. */
  private static void insertBox(Any any, String text) {
    if (Boolean.getBoolean("boxes")) WStringValueHelper.insert(any, text);
    else any.insert_string(text);
  }

  private void valuesOfPropertiesAreRead() throws Exception {
    Envelope sent = envelope("");
    sent.userDefinedProperties =
        new Property[] {property("text", any -> any.insert_wstring("\u6f22")),
            property("in a box", any -> insertBox(any, "boxed \u6f22")),
            property("number", any -> any.insert_long(-5)),
            property("double", any -> any.insert_double(1.5)),
            property("truth", any -> any.insert_boolean(true)),
            property("octets", any -> PayloadHelper.insert(any, new byte[] {0, -1})),
            property("name of a type", any -> URLHelper.insert(any, "http://x"))};
    Property[] read = mirrored(letter(new byte[0], sent)).messageEnvelopes[0].userDefinedProperties;
    List<String> texts = new ArrayList<>();
    for (Property each : read) {
      if (each.value.type().kind() == TCKind.tk_string) texts.add(each.value.extract_string());
      else texts.add(Arrays.toString(PayloadHelper.extract(each.value)));
    }
    same(List.of("\u6f22", "boxed \u6f22", "-5", "1.5", "true", "[0, -1]", "http://x"), texts);
    done("values of properties are read");
  }

  private void aMebibyteComesBack() throws Exception {
    byte[] body = "0123456789abcdef".repeat(65536).getBytes(StandardCharsets.US_ASCII);
    require(Arrays.equals(body, mirrored(letter(body, envelope(""))).messageBody), "it differs");
    done("a mebibyte comes back");
  }

  private void lettersKeepTheirOrder() throws Exception {
    for (int i = 0; i < 200; ++i) ask(letter("number " + i));
    for (int i = 0; i < 200; ++i) same("number " + i, next().messageEnvelopes[0].comments);
    done("letters keep their order");
  }

  private void refusalsAreExceptions() throws Exception {
    ask(letter("this is fine"));
    same("this is fine", next().messageEnvelopes[0].comments);
    Envelope nobody = envelope("");
    nobody.from = new AgentID[0];
    same("NO_PERMISSION", refusal(letter(new byte[0], nobody)));
    Envelope structured = envelope("");
    structured.userDefinedProperties =
        new Property[] {property("k", any -> DateTimeHelper.insert(any, new DateTime()))};
    same("MARSHAL", refusal(letter(new byte[0], structured)));
    AgentID deep = agent("0");
    for (int i = 0; i < 2000; ++i) deep = agent("", deep);
    Envelope nested = envelope("");
    nested.to = new AgentID[] {deep};
    same("IMP_LIMIT", refusal(letter(new byte[0], nested)));
    same("MARSHAL", refusal(letter(new byte[0])));
    done("refusals are exceptions");
  }

  private void ourRefusalIsReported() throws Exception {
    String report = mirrored(letter("refuse this")).messageEnvelopes[0].comments;
    require(report.contains("NO_RESOURCES"), "the report is " + report);
    done("our refusal is reported");
  }

  private void corbalocsWork() throws Exception {
    for (String each : List.of("corbaloc::" + place, "corbaloc:iiop:1.2@" + place)) {
      MTS same = MTSHelper.unchecked_narrow(orb.string_to_object(each));
      same.message(letter(each));
      same(each, next().messageEnvelopes[0].comments);
    }
    done("corbalocs work");
  }

  // --- comparing ---

  private static String text(AgentID id) {
    StringBuilder text = new StringBuilder(id.name + Arrays.toString(id.addresses));
    for (AgentID each : id.resolvers) text.append(" by ").append(text(each));
    for (Property each : id.userDefinedProperties)
      text.append(each.keyword).append('=').append(each.value.extract_string());
    return text.toString();
  }

  private static String text(DateTime date) {
    return date.year + "-" + date.month + "-" + date.day + " " + date.hour + ":" + date.minutes
        + ":" + date.seconds + "." + date.milliseconds + date.typeDesignator;
  }

  private static String text(Envelope e) {
    StringBuilder text = new StringBuilder();
    for (AgentID each : e.to) text.append(text(each)).append('\n');
    text.append(text(e.from[0]))
        .append(e.comments)
        .append(e.aclRepresentation)
        .append(e.payloadLength)
        .append(e.payloadEncoding)
        .append(text(e.date[0]))
        .append('\n');
    for (AgentID each : e.intendedReceiver) text.append(text(each)).append('\n');
    ReceivedObject stamp = e.received[0];
    text.append(stamp.by)
        .append(stamp.from)
        .append(text(stamp.date))
        .append(stamp.id)
        .append(stamp.via)
        .append(e.userDefinedProperties[0].keyword)
        .append(e.userDefinedProperties[0].value.extract_string());
    return text.toString();
  }

  private static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String why) { super(why); }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) throw new Wrong(otherwise);
  }

  private static void same(Object wanted, Object found) {
    require(wanted.equals(found), "expected " + wanted + ", found " + found);
  }

  private static void done(String sentence) { System.out.println(sentence); }
}
