#include "convert.hpp"

#include "shown.hpp"

namespace coracle::c {

namespace {

Operand operand_of(const coracle_property& property) {
  switch (number_of(property.kind)) {
    case CORACLE_BOOLEAN:
      return property.integer != 0;
    case CORACLE_INTEGER:
      return property.integer;
    case CORACLE_NUMBER:
      return property.number;
    case CORACLE_TEXT:
      return std::string_view(text_of(property.text, "the text of a property"));
  }
  fail_argument("a property: its kind is none of coracle_kind");
}

Condition condition_of(const coracle_condition& condition) {
  const Property property = where(text_of(condition.operand.key, "the key of a condition"));
  switch (number_of(condition.comparison)) {
    case CORACLE_EXISTS:
      return property.exists();
    case CORACLE_EQUAL:
      return property == operand_of(condition.operand);
    case CORACLE_NOT_EQUAL:
      return property != operand_of(condition.operand);
    case CORACLE_LESS:
      return property < operand_of(condition.operand);
    case CORACLE_AT_MOST:
      return property <= operand_of(condition.operand);
    case CORACLE_GREATER:
      return property > operand_of(condition.operand);
    case CORACLE_AT_LEAST:
      return property >= operand_of(condition.operand);
    case CORACLE_MATCHES:
      return property.matches(text_of(condition.operand.text, "the expression of a condition"));
  }
  fail_argument("a condition: its comparison is none of coracle_comparison");
}

MailboxOptions mailbox_of(const coracle_agent_options& options) {
  MailboxOptions mailbox;
  if (options.mailbox_messages != 0) mailbox.messages(options.mailbox_messages);
  if (options.mailbox_bytes != 0) mailbox.bytes(options.mailbox_bytes);
  const int overflow = number_of(options.overflow);
  if (overflow < CORACLE_WAIT || overflow > CORACLE_REDIRECT)
    fail_argument("coracle_agent_options: `overflow` is none of coracle_overflow");
  mailbox.overflow(static_cast<Overflow>(overflow));
  if (overflow == CORACLE_REDIRECT)
    mailbox.redirect_to(Name(text_of(options.redirect, "coracle_agent_options: `redirect`")));
  return mailbox;
}

Post addressed(const coracle_post& post, Content content) {
  const int kinds = (post.to != nullptr) + (post.to_sender_of != nullptr) + (post.many != nullptr) +
                    (post.group != nullptr);
  if (kinds != 1) {
    fail_argument(
        "coracle_post: set one of `to`, `to_sender_of`, `many` and `group`, and no other of them");
  }
  if (post.to_sender_of != nullptr) {
    return {shared_message_of(post.to_sender_of)->message.source(), std::move(content)};
  }
  if (post.to != nullptr) return {Name(post.to), std::move(content)};
  if (post.group != nullptr) return {Group(Name(post.group)), std::move(content)};
  std::vector<Name> names;
  for (std::size_t number = 0; number < post.many_count; ++number)
    names.emplace_back(text_of(post.many[number], "coracle_post: a name in `many`"));
  return {std::move(names), std::move(content)};
}

}  // namespace

const char* text_of(const char* text, const char* what) {
  if (text == nullptr) fail_argument((std::string(what) + " is NULL").c_str());
  return text;
}

std::vector<std::string> texts_of(const coracle_texts& texts, const char* what) {
  require_array(texts.texts, texts.count, (std::string(what) + " is NULL").c_str());
  std::vector<std::string> all;
  for (std::size_t number = 0; number < texts.count; ++number)
    all.emplace_back(text_of(texts.texts[number], what));
  return all;
}

Deadline within(coracle_span span) {
  if (span < 0) fail_argument("a span of time is negative");
  return span == CORACLE_NEVER ? Deadline::never() : Deadline(Duration(span));
}

Deadline limit_of(coracle_span span) { return within(span == 0 ? CORACLE_NEVER : span); }

Content content_of(const coracle_post& post) {
  if (post.content == nullptr && post.content_size != 0)
    fail_argument("coracle_post: `content` is NULL, but `content_size` is not 0");
  const std::string_view bytes(static_cast<const char*>(post.content), post.content_size);
  if (post.type == nullptr) return bytes;
  return Content::bytes(std::as_bytes(std::span(bytes)), post.type);
}

Content content_of(const coracle_post* given) {
  coracle_post copy;
  return content_of(view_of(given, copy, "coracle_post"));
}

Post post_of(const coracle_post& options, Content content) {
  Post post = addressed(options, std::move(content));
  post.conversation(options.conversation);
  if (options.reply_to != nullptr) post.reply_to(Name(options.reply_to));
  require_array(options.headers, options.header_count, "coracle_post: `headers` is NULL");
  for (std::size_t number = 0; number < options.header_count; ++number) {
    post.header(text_of(options.headers[number].key, "coracle_post: the key of a header"),
                text_of(options.headers[number].value, "coracle_post: the value of a header"));
  }
  if (options.expires != 0) post.expires(limit_of(options.expires));
  if (options.patience != 0) post.patience(limit_of(options.patience));
  return post;
}

Properties properties_of(const coracle_property* properties, std::size_t count) {
  require_array(properties, count, "the properties are NULL, but their count is not 0");
  Properties all;
  for (std::size_t number = 0; number < count; ++number) {
    all.set(text_of(properties[number].key, "the key of a property"),
            operand_of(properties[number]));
  }
  return all;
}

AgentSpec spec_of(const coracle_agent_options* given) {
  const coracle_agent_options options = options_of(given, "coracle_agent_options");
  AgentSpec spec(text_of(options.name, "coracle_agent_options: `name`"));
  const bool has_mailbox = options.mailbox_messages != 0 || options.mailbox_bytes != 0 ||
                           number_of(options.overflow) != CORACLE_WAIT;
  if (has_mailbox) spec.mailbox(mailbox_of(options));
  if (options.property_count != 0)
    spec.properties(properties_of(options.properties, options.property_count));
  if (options.take_over) spec.take_over();
  return spec;
}

Match match_of(const coracle_match& match) {
  Match wanted;
  if (match.from != nullptr) wanted = from(Name(match.from));
  if (match.conversation != 0) wanted = wanted && in_conversation(match.conversation);
  if (match.type != nullptr) wanted = wanted && of_type(match.type);
  if (match.tap != 0) wanted = wanted && overheard_by(match.tap);
  if (match.addressed) wanted = wanted && coracle::addressed();
  return wanted;
}

Pattern pattern_of(const coracle_pattern& options) {
  Pattern pattern;
  if (options.source != nullptr) pattern.source(options.source);
  if (options.target != nullptr) pattern.target(options.target);
  if (options.text != nullptr) pattern.text(options.text);
  require_array(options.components, options.component_count,
                "coracle_pattern: `components` is NULL");
  for (std::size_t number = 0; number < options.component_count; ++number) {
    pattern.component(text_of(options.components[number].key, "the key of a component"),
                      text_of(options.components[number].value, "the value of a component"));
  }
  return pattern;
}

TapOptions tap_options_of(const coracle_pattern& options) {
  TapOptions how;
  if (options.limit != 0) how.limit = options.limit;
  how.rate = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.rate, UINT32_MAX));
  how.outcomes = options.outcomes;
  return how;
}

Query query_of(const coracle_query* given) {
  const coracle_query options = options_of(given, "coracle_query");
  Query query;
  if (options.prefix != nullptr) query.prefix = Name(options.prefix);
  require_array(options.conditions, options.condition_count, "coracle_query: `conditions` is NULL");
  for (std::size_t number = 0; number < options.condition_count; ++number) {
    const Condition next = condition_of(options.conditions[number]);
    query.condition = number == 0 ? next : query.condition && next;
  }
  if (options.limit != 0) query.limit = options.limit;
  return query;
}

}  // namespace coracle::c
