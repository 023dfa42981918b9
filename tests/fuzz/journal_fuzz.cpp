// Feeds any bytes to the journal as a segment. There must be no crash; the records found must lie
// within the bytes, in order, and be the same in a second scan; a store that is rebuilt from the
// segment must go on. Input: the bytes of a segment's records as they would be before they are
// sealed, or a whole segment, damaged in any way.
#include "realizations/net/src/simulated/disk.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "store/durable_store.hpp"
#include "store/segment_scan.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace coracle;
using namespace coracle::store;

void expect(bool good) {
  if (!good) std::abort();
}

// Scans a segment; the records that it finds have to be valid.
void scan(ByteSpan bytes, const SegmentHeader& header, bool closed) {
  SegmentScan scan(bytes, header, closed);
  std::uint32_t at = scan.end();
  Sequence last = 0;
  for (auto step = scan.next(); step != SegmentScan::Step::end; step = scan.next()) {
    if (step == SegmentScan::Step::damage) {
      expect(scan.damage().from >= at && scan.damage().to > scan.damage().from);
      expect(scan.damage().to <= bytes.size());
      at = scan.damage().to;
      continue;
    }
    const Record& record = scan.record();
    expect(record.place.offset == at && record.sequence > last);
    last = record.sequence;
    at += static_cast<std::uint32_t>(record_bytes(record.body.size()));
    expect(at == scan.end() && at <= bytes.size());
  }
  expect(scan.end() == at && (!closed || scan.torn() == 0));
}

// Puts the bytes onto a disk and starts a store with it, twice.
void restart(ByteSpan bytes) {
  net::SeededRandom random(1);
  net::SimDisk sim(random);
  const auto file = sim.disk().open(segment_name(1), Disk::Open::new_one).value();
  file->append(bytes).value();
  file->sync().value();
  sim.disk().sync_folder("").value();
  DurableOptions options;
  options.journal.reserve_bytes = 0;
  std::size_t messages = 0;
  for (int life = 0; life < 2; ++life) {
    auto opened = DurableStore::open(sim.disk(), options, random, Time());
    if (!opened) return expect(opened.error().errc() == Errc::unsupported);
    DurableStore& store = **opened;
    expect(life == 0 || store.messages().messages() == messages);
    messages = store.messages().messages();
    Incoming message;
    message.queue = "bob";
    const auto id = store.messages().store(message, Time());
    store.pump(Time());
    expect(id && store.durable() >= *id && store.messages().finish(std::vector{*id}));
    store.pump(Time());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > (std::size_t{1} << 16)) return 0;
  const ByteSpan input = std::as_bytes(std::span(data, size));
  if (const auto header = read_segment_header(input)) {
    scan(input, *header, false);
    scan(input, *header, true);
  }
  restart(input);
  // The same bytes as the bodies of records, so that checksums do not stop the fuzzer.
  SegmentHeader header;
  header.number = 1;
  header.nonce = 5;
  Bytes sealed = segment_header(header);
  FieldReader fields(input);
  Sequence sequence = Sequence{1} << run_shift;
  while (fields.left() > 0) {
    const auto kind = fields.number<std::uint8_t>();
    const auto length = fields.number<std::uint8_t>();
    Bytes body;
    for (unsigned i = 0; i < length && fields.left() > 0; ++i)
      body.push_back(static_cast<std::byte>(fields.number<std::uint8_t>()));
    put_record(sealed, ++sequence, kind, std::initializer_list<ByteSpan>{body});
  }
  seal_records(std::span(sealed).subspan(header_bytes), header.nonce, header_bytes);
  scan(sealed, header, false);
  restart(sealed);
  return 0;
}
