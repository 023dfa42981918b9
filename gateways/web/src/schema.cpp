#include "coracle/web/schema.hpp"

#include <string>

namespace coracle::web {

namespace {

std::string name_of(std::size_t shape) { return "type" + std::to_string(shape); }

Json of_type(const char* type) { return Json().set("type", type); }

Json between(std::size_t least, std::size_t most, Json list) {
  return list.set("minItems", least).set("maxItems", most);
}

}  // namespace

void Schema::name_fields(std::vector<std::string> names) {
  shapes_.front().names = std::move(names);
}

std::vector<bool> Schema::named_shapes() const {
  std::vector<std::size_t> uses(shapes_.size());
  uses[0] = 1;  // the schema is used itself
  for (const TypeShape& each : shapes_)
    for (const std::size_t part : each.parts) ++uses[part];
  std::vector<bool> named(shapes_.size());
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    named[i] = uses[i] > 1 && !shapes_[i].parts.empty();
  return named;
}

Json Schema::to_json() const {
  const std::vector<bool> named = named_shapes();
  Json all = named[0] ? reference_to(0, named) : written(0, named);
  Json definitions;
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (named[i]) definitions.set(name_of(i), written(i, named));
  if (!definitions.is_null()) all.set("$defs", std::move(definitions));
  return all;
}

Json Schema::reference_to(std::size_t shape, const std::vector<bool>& named) const {
  if (!named[shape]) return written(shape, named);
  return Json().set("$ref", "#/$defs/" + name_of(shape));
}

void Schema::write_fields(Json& out, const TypeShape& shape, const std::vector<bool>& named) const {
  if (shape.names.empty()) {
    Json items = Json(Json::Array());
    for (const std::size_t each : shape.parts) items.push(reference_to(each, named));
    out = between(shape.parts.size(), shape.parts.size(), of_type("array"));
    if (!shape.parts.empty()) out.set("prefixItems", std::move(items));
    return;
  }
  Json properties = Json(Json::Object()), required = Json(Json::Array());
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    properties.set(shape.names[i], reference_to(shape.parts[i], named));
    const TypeKind kind = shapes_[shape.parts[i]].kind;
    if (kind != TypeKind::optional && kind != TypeKind::nothing) required.push(shape.names[i]);
  }
  out = of_type("object")
            .set("properties", std::move(properties))
            .set("required", std::move(required))
            .set("additionalProperties", false);
}

void Schema::write_map(Json& out, const TypeShape& shape, const std::vector<bool>& named) const {
  if (has_text_keys(shape)) {
    out = of_type("object").set("additionalProperties", reference_to(shape.parts[1], named));
    return;
  }
  Json both, pair = between(2, 2, of_type("array"));
  both.push(reference_to(shape.parts[0], named)).push(reference_to(shape.parts[1], named));
  pair.set("prefixItems", std::move(both));
  out = of_type("array").set("items", std::move(pair));
}

Json Schema::written(std::size_t number, const std::vector<bool>& named) const {
  const TypeShape& shape = shapes_[number];
  Json out = Json(Json::Object());
  switch (shape.kind) {
    case TypeKind::any:
      break;
    case TypeKind::nothing:
      return of_type("null");
    case TypeKind::truth:
      return of_type("boolean");
    case TypeKind::whole:
      out = of_type("integer");
      if (shape.least != std::numeric_limits<std::int64_t>::min()) out.set("minimum", shape.least);
      if (shape.most != std::numeric_limits<std::int64_t>::max()) out.set("maximum", shape.most);
      break;
    case TypeKind::number:
      return of_type("number");
    case TypeKind::text:
      return of_type("string");
    case TypeKind::bytes:
      return of_type("string").set("contentEncoding", "base64");
    case TypeKind::list:
      return of_type("array").set("items", reference_to(shape.parts[0], named));
    case TypeKind::fields:
      write_fields(out, shape, named);
      break;
    case TypeKind::map:
      write_map(out, shape, named);
      break;
    case TypeKind::optional: {
      Json either;
      either.push(reference_to(shape.parts[0], named)).push(of_type("null"));
      return out.set("anyOf", std::move(either));
    }
    case TypeKind::variant: {
      Json all;
      for (std::size_t i = 0; i < shape.parts.size(); ++i) {
        Json both, each = between(2, 2, of_type("array"));
        both.push(Json().set("const", i)).push(reference_to(shape.parts[i], named));
        all.push(each.set("prefixItems", std::move(both)));
      }
      return out.set("oneOf", std::move(all));
    }
  }
  return out;
}

}  // namespace coracle::web
