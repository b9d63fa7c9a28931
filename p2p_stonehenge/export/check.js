"use strict";
// Checks the signed record that this page carries, with nothing but the browser: signatures, chains, commitments.
// It reads the format a second time, apart from the program; docs/protocol.md is what both go by.
(() => {
  const MAGIC = "p2p-stonehenge transcript 2\n";
  const CHARTER = 1, EVENT = 2; // records
  const COMMITMENT = 6, REVELATION = 7, RESULT = 11; // events
  const BETWEEN = 64; // rolls that may lie between two of one seat

  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const must = (holds, text) => { if (!holds) throw new Error(text); };
  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { whole.set(part, at); at += part.length; }
    return whole;
  }

  // BLAKE2b (RFC 7693): 32 bytes, with a personalization.
  const ALL = (1n << 64n) - 1n;
  const IV = [
    0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
    0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
  ];
  const SIGMA = [
    "0123456789abcdef",
    "ea489fd61c02b753",
    "b8c052fdae367194",
    "7931dcbe265a40f8",
    "905724afe1bc683d",
    "2c6a0b834d75fe19",
    "c51fed4a0763928b",
    "db7ec13950f4862a",
    "6fe9b308c2d714a5",
    "a2847615fb9e3cd0",
  ].map((row) => [...row].map((digit) => parseInt(digit, 16)));
  const MIXED = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
  const turned = (value, by) => ((value >> by) | (value << (64n - by))) & ALL;
  const words = (bytes) => [...new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)];

  function blake(person, data) {
    const named = new Uint8Array(16);
    named.set(utf8(person));
    const h = IV.slice();
    h[0] ^= 0x01010020n;
    words(named).forEach((word, at) => { h[6 + at] ^= word; });
    for (let at = 0; at === 0 || at < data.length; at += 128) {
      const block = new Uint8Array(128);
      block.set(data.subarray(at, at + 128));
      const m = words(block);
      const v = [...h, ...IV];
      const isLast = at + 128 >= data.length;
      v[12] ^= BigInt(isLast ? data.length : at + 128);
      if (isLast) v[14] ^= ALL;
      for (let round = 0; round < 12; round += 1) {
        const order = SIGMA[round % 10];
        MIXED.forEach(([a, b, c, d], step) => {
          v[a] = (v[a] + v[b] + m[order[2 * step]]) & ALL;
          v[d] = turned(v[d] ^ v[a], 32n);
          v[c] = (v[c] + v[d]) & ALL;
          v[b] = turned(v[b] ^ v[c], 24n);
          v[a] = (v[a] + v[b] + m[order[2 * step + 1]]) & ALL;
          v[d] = turned(v[d] ^ v[a], 16n);
          v[c] = (v[c] + v[d]) & ALL;
          v[b] = turned(v[b] ^ v[c], 63n);
        });
      }
      for (let word = 0; word < 8; word += 1) h[word] ^= v[word] ^ v[word + 8];
    }
    return new Uint8Array(BigUint64Array.from(h.slice(0, 4)).buffer);
  }

  // msgpack, as far as records have it: whole numbers, bytes, texts, lists, nothing.
  function decode(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    const uint = (size) => { at += size; return size === 1 ? view.getUint8(at - 1) : size === 2 ? view.getUint16(at - 2) : view.getUint32(at - 4); };
    const take = (size) => { must(at + size <= bytes.length, "a value that is cut"); at += size; return bytes.subarray(at - size, at); };
    const text = (size) => new TextDecoder("utf-8", { fatal: true }).decode(take(size));
    const list = (size) => { const items = []; while (items.length < size) items.push(value()); return items; };
    function value() {
      const head = uint(1);
      if (head < 0x80) return head;
      if (head >= 0x90 && head < 0xa0) return list(head & 15);
      if (head >= 0xa0 && head < 0xc0) return text(head & 31);
      if (head === 0xc0) return null;
      if (head >= 0xc4 && head <= 0xc6) return take(uint(1 << (head - 0xc4)));
      if (head >= 0xcc && head <= 0xce) return uint(1 << (head - 0xcc));
      if (head >= 0xd9 && head <= 0xdb) return text(uint(1 << (head - 0xd9)));
      if (head === 0xdc || head === 0xdd) return list(uint(head === 0xdc ? 2 : 4));
      throw new Error("a value of a kind that no record has");
    }
    const read = value();
    must(at === bytes.length, "more bytes than a value has");
    return read;
  }

  function encode(value) {
    if (Array.isArray(value)) { must(value.length < 16, "a long list"); return joined([0x90 | value.length], ...value.map(encode)); }
    if (value instanceof Uint8Array) {
      const size = value.length;
      const head = [size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255];
      return joined(size < 256 ? [0xc4, size] : size < 65536 ? [0xc5, ...head.slice(2)] : [0xc6, ...head], value);
    }
    if (value < 128) return Uint8Array.of(value);
    return value < 256 ? Uint8Array.of(0xcc, value) : value < 65536 ? Uint8Array.of(0xcd, value >> 8, value & 255) : Uint8Array.of(0xce, value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);
  }

  function records(bytes) {
    const magic = utf8(MAGIC);
    must(hex(bytes.subarray(0, magic.length)) === hex(magic), "it is not a saved game");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = [];
    for (let at = magic.length; at < bytes.length;) {
      must(at + 4 <= bytes.length && at + 4 + view.getUint32(at) <= bytes.length, "it ends inside a record");
      const start = at + 4;
      at = start + view.getUint32(at);
      found.push(decode(bytes.slice(start, at)));
    }
    return found;
  }

  async function check(bytes, progress) {
    const [first, ...rest] = records(bytes);
    must(first[0] === CHARTER, "it does not begin with a charter");
    const [packed, nonces, signatures] = decode(first[1]);
    const body = decode(packed);
    const kind = body[2], seats = body[7];
    const table = blake("sh/table/1", encode([packed, nonces]));
    const keys = await Promise.all(seats.map(([id]) => crypto.subtle.importKey("raw", id, { name: "Ed25519" }, false, ["verify"])));
    const signed = (seat, text, data, signature) => crypto.subtle.verify({ name: "Ed25519" }, keys[seat - 1], signature, joined(utf8(text), data));
    for (let at = 0; at < signatures.length; at += 1) {
      must(await signed(at + 1, "stonehenge/charter/1", table, signatures[at]), `seat ${at + 1} has not signed the charter`);
    }
    const heads = seats.map(() => [0, ""]);
    const standing = seats.map(() => null);
    const rolls = seats.map(() => 0);
    let events = 0, parts = 0;
    const results = new Map();
    for (const [type, raw, signature] of rest) {
      if (type !== EVENT) continue;
      const [, of, seat, stated, slot, digest, what, said] = decode(raw);
      events += 1;
      const place = `event ${events}`;
      must(seat >= 1 && seat <= seats.length && hex(of) === hex(table), `${place} belongs to another table`);
      must(await signed(seat, "stonehenge/event/2", raw, signature), `the signature of ${place} is wrong`);
      const [length, before] = heads[seat - 1];
      const own = stated[seat - 1];
      must(own[0] === length && hex(own[1]) === before, `${place} does not follow the event of its seat before it`);
      heads[seat - 1] = [length + 1, hex(blake("sh/event/2", raw))];
      if (kind === "net" && what === COMMITMENT) standing[seat - 1] = [said[0], slot[0]];
      if (kind === "net" && what === REVELATION) {
        const [hash, epoch] = standing[seat - 1] || [];
        must(hash, `${place} shows a part that was never committed to`);
        let number = rolls[seat - 1];
        const fits = () => hex(blake("sh/commit/2", encode([table, epoch, number, seat, said[0]]))) === hex(hash);
        while (!fits()) { number += 1; must(number < rolls[seat - 1] + BETWEEN, `${place} shows a part that does not fit its commitment`); }
        rolls[seat - 1] = number;
        standing[seat - 1] = [said[1], slot[0]];
        parts += 1;
      }
      if (what === RESULT) results.set(seat, hex(digest));
      if (events % 50 === 0) progress(`${events} signatures are good so far...`);
    }
    return { table: hex(table), signers: signatures.length, events, parts, results };
  }

  const button = document.getElementById("check");
  const told = document.getElementById("checked");
  const record = () => Uint8Array.from(atob(document.getElementById("record").href.split(",")[1]), (letter) => letter.charCodeAt(0));
  async function pressed() {
    button.setAttribute("aria-disabled", "true");
    try {
      must(window.crypto && crypto.subtle, "UNABLE");
      const found = await check(record(), (text) => { told.textContent = text; });
      const shown = document.body.dataset;
      must(found.table === shown.table, "the record is of another table than this page");
      const ends = [...found.results.values()];
      must(!ends.length || ends.includes(shown.digest), "the result that was signed is another one than this page's");
      const lines = [
        `Checked in this browser: the charter is signed by ${found.signers}, and all ${found.events} events are signed and chained.`,
        found.parts ? `All ${found.parts} parts of rolls fit the commitments that were signed before them.` : "",
        ends.length ? `The result is signed by seat ${[...found.results.keys()].sort().join(", ")}.` : "",
        "That the moves are lawful and the shuffles proven, p2p-stonehenge verify checks.",
      ];
      told.textContent = lines.filter(Boolean).join(" ");
    } catch (error) {
      const unable = error.message === "UNABLE" || error.name === "NotSupportedError";
      told.textContent = unable
        ? "This browser cannot check Ed25519 signatures. Save the record and use p2p-stonehenge verify."
        : `NOT GENUINE: ${error.message}.`;
    }
    button.removeAttribute("aria-disabled");
  }
  button.addEventListener("click", pressed);
})();
