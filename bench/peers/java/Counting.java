import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The work and its counts, as in ../common/counting.hpp. */
final class Counting {
  static final long FAREWELL = -1;
  static final int ROUNDS = 100;
  static final int MESSAGES = 256;
  /** The most messages under way; the receiver acknowledges each STEP that it has taken. */
  static final int WINDOW = 4096;
  static final int STEP = 1024;
  /** A virtual machine that compiles while it runs is warm after a second, not after 0.2 s. */
  static final long WARM_UP = 1_000_000_000;

  private Counting() {}

  static byte[] message(int size) {
    byte[] made = new byte[size];
    java.util.Arrays.fill(made, (byte) 'x');
    return made;
  }

  static long number(byte[] message) {
    return ByteBuffer.wrap(message).getLong(0);
  }

  static void print(long count, List<Long> times) {
    System.out.println(count + " " + times);
    System.out.flush();
  }

  /** Ends this process with a reason; there is no number then. */
  static void fail(String why) {
    System.err.println(why);
    Runtime.getRuntime().halt(1);
  }

  /** The pings of the pinger, and the times of their answers. */
  static final class Rounds {
    private final int size;
    private final long nanos;
    private final List<Long> times = new ArrayList<>();
    private long number;
    private long before;
    private long begin;

    Rounds(int size, long nanos) {
      this.size = size;
      this.nanos = nanos;
    }

    byte[] next() {
      if (number == 0) {
        before = System.nanoTime();
        begin = before + Math.max(nanos / 5, WARM_UP);
      }
      byte[] ping = message(size);
      ByteBuffer.wrap(ping).putLong(0, ++number);
      return ping;
    }

    /** Takes the answer to a ping. Returns false when no more are needed. */
    boolean take(byte[] pong) {
      if (pong.length != size || Counting.number(pong) != number) fail("an answer is wrong");
      if (number % ROUNDS != 0) return true;
      long now = System.nanoTime();
      if (before >= begin) times.add(now - before);
      before = now;
      return now < begin + nanos || times.isEmpty();
    }

    void print() {
      Counting.print(number, times);
    }
  }

  /** The messages that the sender of a flood sends. */
  static final class Source {
    private final int size;
    private final long nanos;
    private long sent;
    private long end;

    Source(int size, long nanos) {
      this.size = size;
      this.nanos = nanos;
    }

    long sent() {
      return sent;
    }

    boolean isOver() {
      if (sent == 0) end = System.nanoTime() + WARM_UP + nanos + nanos / 4;
      return sent % 256 == 0 && sent > 0 && System.nanoTime() >= end;
    }

    byte[] next() {
      byte[] made = message(size);
      ByteBuffer.wrap(made).putLong(0, ++sent);
      return made;
    }

    byte[] farewell() {
      byte[] made = message(size);
      ByteBuffer.wrap(made).putLong(0, FAREWELL).putLong(8, sent);
      return made;
    }
  }

  /** The counts of the receiver. */
  static final class Intake {
    private final int size;
    private final List<Long> marks = new ArrayList<>();
    private long count;
    private long sum;
    private long begin;

    Intake(int size) {
      this.size = size;
    }

    long taken() {
      return count;
    }

    /** Takes a message. Returns false when it was the farewell, and nothing was missing. */
    boolean take(byte[] message) {
      if (message.length != size) fail("a message has another size");
      long number = number(message);
      if (number == FAREWELL) {
        long sent = ByteBuffer.wrap(message).getLong(8);
        if (count != sent || sum != sent * (sent + 1) / 2) fail("messages are missing");
        return false;
      }
      if (count == 0) begin = System.nanoTime() + WARM_UP;
      sum += number;
      if (++count % MESSAGES == 0) {
        long now = System.nanoTime();
        if (now >= begin) marks.add(now);
      }
      return true;
    }

    void print() {
      Counting.print((long) (marks.size() - 1) * MESSAGES, marks);
    }
  }
}
