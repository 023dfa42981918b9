// The cost of the forms in which messages of FIPA and their envelopes travel: each is written, and
// read again. The floor copies the same bytes twice.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/acl/bit_efficient_codec.hpp>
#include <coracle/acl/envelope_codec.hpp>
#include <coracle/acl/representation.hpp>
#include <coracle/acl/string_codec.hpp>
#include <coracle/acl/xml_codec.hpp>

#include <cstring>
#include <functional>
#include <memory>
#include <string>

namespace coracle::bench {

namespace {

// A form of messages or envelopes: writes one behind `out`, and reads it.
template <class T>
struct Codec {
  std::string name;
  std::function<void(std::string& out, const T& value)> write;
  std::function<T(std::string_view bytes)> read;
};

// Both sides of a link with code tables that know the texts of `message`.
Codec<acl::Message> with_tables(const acl::Message& message) {
  const auto writer = std::make_shared<acl::BitEfficientWriter>(8);
  const auto reader = std::make_shared<acl::BitEfficientReader>(8);
  std::string first;
  writer->write_into(first, message);
  reader->read(first);
  return {"bit-efficient-tables",
          [writer](std::string& out, const acl::Message& each) { writer->write_into(out, each); },
          [reader](std::string_view bytes) { return reader->read(bytes); }};
}

std::vector<Codec<acl::Message>> codecs(const acl::Message& message) {
  return {
      {"string", acl::write_string_into,
       [](std::string_view bytes) { return acl::read_string(bytes); }},
      {"bit-efficient", acl::write_bit_efficient_into,
       [](std::string_view bytes) { return acl::read_bit_efficient(bytes); }},
      with_tables(message),
      {"xml", acl::write_xml_into, [](std::string_view bytes) { return acl::read_xml(bytes); }}};
}

// An expression of that many bytes; a long one is like the answer of a directory of services.
std::string content(std::size_t bytes) {
  if (bytes == 7) return "(ask 7)";
  std::string text = "((result (action df (search all)) (sequence";
  for (int agent = 1; text.size() < bytes; ++agent) {
    text += " (df-agent-description :name (agent-identifier :name a" + std::to_string(agent) +
            "@lab.example :addresses (sequence http://lab.example:7778/acc)) :services (set "
            "(service-description :name \"daily prices\" :type shop)) :languages (set fipa-sl))";
  }
  text.resize(bytes);
  return text;
}

// A request between two platforms.
acl::Message request(std::size_t content_bytes) {
  acl::Message message;
  message.performative = acl::Performative::request;
  message.sender = {.name = "ann@lab.example", .addresses = {"http://127.0.0.1:7778/acc"}};
  message.receivers = {{.name = "bob@shop.example", .addresses = {"http://127.0.0.1:7779/acc"}}};
  message.content = content(content_bytes);
  message.language = "fipa-sl0";
  message.ontology = "prices";
  message.protocol = "fipa-request";
  message.conversation_id = "c-17-ann@lab.example";
  message.reply_with = "r-17-1";
  return message;
}

std::vector<Codec<acl::Envelope>> envelope_codecs() {
  return {
      {"xml-envelope",
       [](std::string& out, const acl::Envelope& each) { out = acl::write_envelope_xml(each); },
       [](std::string_view bytes) { return acl::read_envelope_xml(bytes); }},
      {"bit-efficient-envelope",
       [](std::string& out, const acl::Envelope& each) { out = acl::write_envelope_bits(each); },
       [](std::string_view bytes) { return acl::read_envelope_bits(bytes).envelope; }}};
}

// The envelope in which a gateway sends that request.
acl::Envelope envelope_of(const acl::Message& message) {
  acl::Envelope envelope;
  envelope.to = envelope.intended_receivers = message.receivers;
  envelope.from = message.sender;
  envelope.representation = acl::string_representation;
  envelope.payload_length = 372;
  envelope.date = acl::date_time_from("20251114T221320123");
  return envelope;
}

template <class T>
Run translate(const Codec<T>& codec, const T& message, Duration interval) {
  constexpr std::uint64_t batch = 100;
  std::string bytes;
  T read;
  Run run;
  const Time start = clock_now();
  while (clock_now() - start < interval) {
    for (std::uint64_t i = 0; i < batch; ++i) {
      bytes.clear();
      codec.write(bytes, message);
      read = codec.read(bytes);
    }
    run.n += batch;
  }
  run.value = nanoseconds(clock_now() - start) / static_cast<double>(run.n);
  if (read != message) throw NotDone("the " + codec.name + " form has changed the message");
  return run;
}

Run copy(std::size_t size, Duration interval) {
  constexpr std::uint64_t batch = 1000;
  std::string from(size, 'x'), to(size, ' '), back(size, ' ');
  Run run;
  const Time start = clock_now();
  while (clock_now() - start < interval) {
    for (std::uint64_t i = 0; i < batch; ++i) {
      from[i % size] = static_cast<char>('a' + i % 26);
      std::memcpy(to.data(), from.data(), size);
      asm volatile("" : : "r"(to.data()) : "memory");  // so that both copies are made
      std::memcpy(back.data(), to.data(), size);
      asm volatile("" : : "r"(back.data()) : "memory");
    }
    run.n += batch;
  }
  run.value = nanoseconds(clock_now() - start) / static_cast<double>(run.n);
  if (back != from) throw NotDone("the bytes were not copied");
  return run;
}

template <class T>
void measure(const Options& options, Progress& progress, const Codec<T>& codec, const T& value,
             std::size_t content_bytes, std::vector<Metric>& metrics) {
  const Duration interval = seconds(options.interval(0.005, 0.3));
  std::string bytes;
  codec.write(bytes, value);
  if (codec.read(bytes) != value) throw NotDone("the first message was changed");
  const auto runs = interleave(options, progress,
                               {[&] { return translate(codec, value, interval); },
                                [&] { return copy(bytes.size(), interval); }});
  const Params params = {{"codec", codec.name},
                         {"content", static_cast<std::int64_t>(content_bytes)}};
  for (Metric& each : beside_floor("translation", "ns", params, runs[0], runs[1]))
    metrics.push_back(std::move(each));
  const Run size{static_cast<double>(bytes.size()), {}, 1};
  metrics.push_back({"message_bytes", "bytes", params, summarize(std::vector{size}), {}});
}

}  // namespace

std::vector<Metric> run_acl(const Options& options, Progress& progress) {
  std::vector<Metric> metrics;
  for (const std::size_t content_bytes : {std::size_t{7}, std::size_t{2150}}) {
    const acl::Message message = request(content_bytes);
    for (const auto& codec : codecs(message))
      measure(options, progress, codec, message, content_bytes, metrics);
  }
  const acl::Envelope envelope = envelope_of(request(7));
  for (const auto& codec : envelope_codecs())
    measure(options, progress, codec, envelope, 7, metrics);
  return metrics;
}

}  // namespace coracle::bench
