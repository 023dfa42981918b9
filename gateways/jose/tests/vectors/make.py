#!/usr/bin/env python3
"""Makes the vectors beside it, by programs that others wrote: PyJWT and cryptography (PyPI).

make.py FOLDER writes tokens.json, keys.json, card.key.pem and card.pub.pem. Keys and signatures are
new each time; the claims and the time (2026-11-30T12:00:00Z) are not.
"""
import base64
import json
import sys

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

NOW = 1796040000
ISSUER, AUDIENCE = "https://issuer.example", "https://agents.example"


def number(value, size=None):
    size = size or (value.bit_length() + 7) // 8
    return base64.urlsafe_b64encode(value.to_bytes(size, "big")).rstrip(b"=").decode()


def public(key, kid, **more):
    numbers = key.public_key().public_numbers()
    if isinstance(key, rsa.RSAPrivateKey):
        return {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e), "kid": kid, **more}
    size = (key.curve.key_size + 7) // 8
    name = {256: "P-256", 384: "P-384", 521: "P-521"}[key.curve.key_size]
    return {"kty": "EC", "crv": name, "x": number(numbers.x, size), "y": number(numbers.y, size),
            "kid": kid, **more}


def encoded(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def main():
    folder = sys.argv[1]
    big, other = (rsa.generate_private_key(65537, 2048) for _ in range(2))
    small = rsa.generate_private_key(65537, 1024)
    curve, strange = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    wide = ec.generate_private_key(ec.SECP384R1())
    off_curve = public(curve, "off")
    off_curve["y"] = off_curve["x"]
    keys = [public(big, "big", use="sig"), public(other, "other", alg="RS256"),
            public(curve, "curve"), public(wide, "wide"), public(small, "small"), off_curve,
            public(big, "encrypts", use="enc"), public(curve, "signs only", key_ops=["sign"]),
            {"kty": "oct", "k": encoded("a secret that both sides have"), "kid": "secret"},
            {"kty": "OKP", "crv": "Ed25519", "x": encoded("x" * 32), "kid": "edwards"}]
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": NOW + 300, "nbf": NOW - 300}

    def signed(key=curve, algorithm="ES256", kid="curve", header=None, **changes):
        own = {name: value for name, value in {**claims, **changes}.items() if value is not None}
        headers = {**({"kid": kid} if kid else {}), **(header or {})}
        text = jwt.encode(own, key, algorithm, headers)
        assert jwt.get_unverified_header(text)["alg"] == algorithm
        return text

    def raw(header, body=None):
        return jwt.api_jws.encode((body or json.dumps(claims)).encode(), curve, "ES256",
                                  {"kid": "curve", **header})

    pem = big.public_key().public_bytes(serialization.Encoding.PEM,
                                        serialization.PublicFormat.SubjectPublicKeyInfo)
    good = signed()
    head, body, signature = good.split(".")
    changed = signature[:9] + ("A" if signature[9] != "A" else "B") + signature[10:]
    mixed = encoded({"alg": "HS256", "typ": "JWT", "kid": "big"}) + "." + body
    secret = jwt.get_algorithm_by_name("HS256").sign(mixed.encode(), pem)
    by_public_key = mixed + "." + base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
    token = {"typ": "JWT"}
    shared = encoded({"alg": "HS256", "typ": "JWT", "kid": "secret"}) + "." + body
    known = jwt.get_algorithm_by_name("HS256").sign(shared.encode(),
                                                    b"a secret that both sides have")
    by_known_secret = shared + "." + base64.urlsafe_b64encode(known).rstrip(b"=").decode()
    own_key = {"jwk": public(strange, "curve"), "jku": "https://e.example/keys", "typ": "JWT"}

    def claiming(**changes):
        return raw(token, json.dumps({**claims, **changes}))

    tokens = {
        "good": {
            "es256": good,
            "rs256": signed(big, "RS256", "big"),
            "ps256": signed(big, "PS256", "big"),
            "es384": signed(wide, "ES384", "wide"),
            "rs256 of a key for it": signed(other, "RS256", "other"),
            "several audiences": signed(aud=["x", AUDIENCE]),
            "no type": signed(header={"typ": None}),
            "access": signed(header={"typ": "at+JWT"}),
            "no beginning": signed(nbf=None),
            "just over": signed(exp=NOW - 29),
            "almost": signed(nbf=NOW + 29),
            "fraction": signed(exp=NOW + 0.5),
            "one key for it": signed(kid=None),
        },
        "its algorithm is not accepted": {
            "none": encoded({"alg": "none", "typ": "JWT"}) + "." + body + "." + encoded("x"),
            "None": encoded({"alg": "None", "typ": "JWT"}) + "." + body + "." + encoded("x"),
            "none, signed": encoded({"alg": "none", "kid": "curve"}) + "." + body + "." + signature,
            "hmac by the public key": by_public_key,
            "hmac by a secret of the set": by_known_secret,
            "rs512": signed(big, "RS512", "big"),
            "lower": encoded({"alg": "es256"}) + "." + body + "." + signature,
        },
        "its signature is wrong": {
            "changed": f"{head}.{body}.{changed}",
            "of another": signed(strange),
            "claims changed": f"{head}.{encoded({**claims, 'sub': 'eve'})}.{signature}",
            "short": f"{head}.{body}.{signature[:40]}",
            "zeros": f"{head}.{body}.{'A' * 86}",
            "of the key that it brings": signed(strange, header=own_key),
        },
        "its header is no JSON object": {
            "two algorithms": encoded('{"alg": "none", "alg": "ES256", "kid": "curve"}') +
                              f".{body}.{signature}",
            "two algorithms, the other way": encoded('{"alg": "ES256", "alg": "none"}') +
                                             f".{body}.{signature}",
            "deep": encoded('{"alg": "ES256", "x": ' + "[" * 500 + "]" * 500 + "}") +
                    f".{body}.{signature}",
            "many": encoded('{"alg": "ES256", "x": [' + "0," * 500 + "0]}") +
                    f".{body}.{signature}",
        },
        "its key is unknown": {
            "no such": signed(kid="nobody"),
            "other kind": signed(kid="big"),
            "key for another algorithm": signed(other, "PS256", "other"),
            "two keys for it": signed(big, "RS256", None),
            "for encryption": signed(big, "RS256", "encrypts"),
            "small": signed(small, "RS256", "small"),
            "that it brings": signed(strange, kid="new", header=own_key),
        },
        "its header has an extension that has to be understood": {
            "crit": raw({"crit": ["exp"], "exp": 1, "typ": "JWT"}),
        },
        "it is of another type": {
            "card": raw({"typ": "JOSE"}),
            "logout": raw({"typ": "logout+jwt"}),
        },
        "it has another issuer": {"other": signed(iss=ISSUER + "/"), "none": signed(iss=None)},
        "it is for somebody else": {
            "other": signed(aud="https://other.example"),
            "none": signed(aud=None),
            "list": signed(aud=["x", "y"]),
        },
        "it has expired": {"before": signed(exp=NOW - 30), "long before": signed(exp=1)},
        "it has no end": {
            "none": signed(exp=None),
            "never": claiming(exp=1e300),
            "text": claiming(exp=str(NOW + 9)),
        },
        "it is not valid yet": {"later": signed(nbf=NOW + 31)},
        "its beginning is no time": {"text": claiming(nbf="now")},
        "it names no caller": {
            "none": signed(sub=None),
            "control": signed(sub="a\nb"),
            "long": signed(sub="a" * 201),
            "number": claiming(sub=5),
        },
        "its claims are no JSON object": {
            "list": raw(token, "[]"),
            "twice": raw(token, '{"sub": "ann", "sub": "eve"}'),
            "deep": raw(token, '{"sub": ' + "[" * 1000 + "]" * 1000 + "}"),
            "many": raw(token, '{"sub": "ann", "roles": [' + "0," * 3000 + "0]}"),
            "trailing": raw(token, json.dumps(claims) + "{}"),
        },
    }
    with open(f"{folder}/tokens.json", "w") as out:
        json.dump({"now": NOW, "issuer": ISSUER, "audience": AUDIENCE,
                   "tokens": tokens}, out, indent=1)
    with open(f"{folder}/keys.json", "w") as out:
        json.dump({"keys": keys}, out, indent=1)
    with open(f"{folder}/card.key.pem", "wb") as out:
        out.write(strange.private_bytes(serialization.Encoding.PEM,
                                        serialization.PrivateFormat.PKCS8,
                                        serialization.NoEncryption()))
    with open(f"{folder}/card.pub.pem", "wb") as out:
        out.write(strange.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))


main()
