"use strict";
// Checks the signed record that this page carries, with nothing but the browser: signatures, chains, commitments.
// It reads the format a second time, apart from the program; docs/protocol.md is what both go by.
(() => {
  const MAGIC = "p2p-stonehenge transcript 2\n";
  const CHARTER = 1, EVENT = 2, PROOF = 3; // records
  const MOVE = 1, PLAY = 2, RESIGN = 4, WISH = 5, COMMITMENT = 6, REVELATION = 7, KEY = 8, RESULT = 11, EPOCH = 12, ACT = 13, TAKEBACK = 14; // events
  const MOST = 2 ** 31 - 1;
  const KEPT = 8; // proofs against one seat that are kept whatever they show

  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) || [], (pair) => parseInt(pair, 16));
  const id = (name) => document.getElementById(name);
  class Wrong extends Error {}
  const must = (holds, text) => { if (!holds) throw new Wrong(text); };
  const isInt = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
  const isBytes = (value, size) => value instanceof Uint8Array && (typeof size !== "number" || value.length === size);
  const many = (unit, most) => (value) => isBytes(value) && value.length <= most && value.length % unit === 0;
  const text = (most) => (value) => typeof value === "string" && [...value].length <= most;
  const same = (one, other) => one.length === other.length && one.every((item, at) => item === other[at]);
  function base32(bytes) {
    const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    return bits.match(/.{1,5}/g).map((five) => "abcdefghijklmnopqrstuvwxyz234567"[parseInt(five.padEnd(5, "0"), 2)]).join("");
  }
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
    let at = 0, depth = 0;
    const uint = (size) => { at += size; return size === 1 ? view.getUint8(at - 1) : size === 2 ? view.getUint16(at - 2) : view.getUint32(at - 4); };
    const take = (size) => { must(at + size <= bytes.length, "a value that is cut"); at += size; return bytes.subarray(at - size, at); };
    const string = (size) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(size));
    const list = (size) => {
      depth += 1;
      must(depth <= 8, "too many lists within each other");
      const items = [];
      while (items.length < size) items.push(value());
      depth -= 1;
      return items;
    };
    function value() {
      const head = uint(1);
      if (head < 0x80) return head;
      if (head >= 0x90 && head < 0xa0) return list(head & 15);
      if (head >= 0xa0 && head < 0xc0) return string(head & 31);
      if (head === 0xc0) return null;
      if (head >= 0xc4 && head <= 0xc6) return take(uint(1 << (head - 0xc4)));
      if (head >= 0xcc && head <= 0xce) return uint(1 << (head - 0xcc));
      if (head >= 0xd9 && head <= 0xdb) return string(uint(1 << (head - 0xd9)));
      if (head === 0xdc || head === 0xdd) return list(uint(head === 0xdc ? 2 : 4));
      throw new Error("a value of a kind that no record has");
    }
    const read = value();
    must(at === bytes.length, "more bytes than a value has");
    return read;
  }

  function encode(value) {
    if (value === null) return Uint8Array.of(0xc0);
    const size = (number) => [number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255];
    if (Array.isArray(value)) {
      const head = value.length < 16 ? [0x90 | value.length] : [0xdc, ...size(value.length).slice(2)];
      return joined(head, ...value.map(encode));
    }
    if (typeof value === "string") {
      const bytes = utf8(value), count = bytes.length;
      return joined(count < 32 ? [0xa0 | count] : count < 256 ? [0xd9, count] : [0xda, ...size(count).slice(2)], bytes);
    }
    if (value instanceof Uint8Array) {
      const head = size(value.length);
      return joined(value.length < 256 ? [0xc4, value.length] : value.length < 65536 ? [0xc5, ...head.slice(2)] : [0xc6, ...head], value);
    }
    if (value < 128) return Uint8Array.of(value);
    return Uint8Array.from(value < 256 ? [0xcc, value] : value < 65536 ? [0xcd, ...size(value).slice(2)] : [0xce, ...size(value)]);
  }

  // A value of which no other spelling is accepted, as `encode` gives the shortest one.
  function exact(bytes, limit, what) {
    let value;
    try { value = decode(bytes); } catch { /* said below */ }
    must(value !== undefined && bytes.length <= limit && same(encode(value), bytes), `${what} is not written as it has to be`);
    return value;
  }

  function records(bytes) {
    must(same(bytes.subarray(0, MAGIC.length), utf8(MAGIC)), "it is not a saved game");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = [];
    for (let at = MAGIC.length; at < bytes.length;) {
      must(at + 4 <= bytes.length && at + 4 + view.getUint32(at) <= bytes.length, "it ends inside a record");
      const start = at + 4;
      at = start + view.getUint32(at);
      const record = exact(bytes.slice(start, at), 33792, `record ${found.length + 1}`);
      const sizes = { [CHARTER]: 2, [EVENT]: 3, [PROOF]: 5 };
      must(Array.isArray(record) && record.length === sizes[record[0]] && record.slice(1).every((one) => isBytes(one)), `record ${found.length + 1} is none that a saved game has`);
      found.push(record);
    }
    must(found.length && found[0][0] === CHARTER && found.slice(1).every(([type]) => type !== CHARTER), "it does not begin with one charter");
    return found;
  }

  // Section 4: an event by the tables of the format, and what its bytes and its hash are.
  function event(raw, count) {
    const value = exact(raw, 16384, "an event");
    must(Array.isArray(value) && value.length === 8, "an event is not written as it has to be");
    const [form, table, seat, heads, slot, digest, kind, body] = value;
    const well = form === 2 && isBytes(table, 32) && isBytes(digest, 32) && Array.isArray(heads) && heads.length === count
      && heads.every((head) => Array.isArray(head) && head.length === 2 && isInt(head[0], 0, MOST - 1) && isBytes(head[1], head[0] ? 32 : 0))
      && isInt(seat, 1, count) && Array.isArray(slot) && slot.length === 3 && isInt(slot[0], 0, MOST) && isInt(slot[1], 0, MOST) && isInt(slot[2], 1, 7)
      && isInt(kind, 1, 14) && Array.isArray(body) && fits(kind, body);
    must(well, "an event is not written as it has to be");
    const listed = kind === EPOCH ? body[1] : [];
    must(kind !== EPOCH || body[0] > slot[0], "an agreement is for no later epoch");
    must(listed.length < 5 && listed.every((one, at) => Array.isArray(one) && one.length === 3 && isInt(one[0], at ? listed[at - 1][0] + 1 : 1, count)
      && one[0] !== seat && one[1] === heads[one[0] - 1][0] && same(one[2], heads[one[0] - 1][1])), "an agreement is not written as it has to be");
    return { raw, table, seat, heads, slot, digest, kind, body, hash: blake("sh/event/2", raw), number: heads[seat - 1][0] + 1 };
  }

  function fits(kind, body) {
    const shapes = {
      1: [text(200)], 2: [text(200), (v) => isInt(v, 0, 255), (v) => isBytes(v, 96)], 3: [], 4: [], 5: [(v) => isInt(v, 0, 1)],
      6: [(v) => isBytes(v, 32)], 7: [(v) => isBytes(v, 32), (v) => isBytes(v, 32)], 8: [(v) => isBytes(v, 32), (v) => isBytes(v, 64)],
      9: [many(64, 4224), many(32, 8608)], 10: [many(96, 6336)], 11: [many(96, 6336)], 12: [(v) => isInt(v, 1, MOST), Array.isArray],
      13: [(v) => isInt(v, 0, 5), text(400)], 14: [(v) => isInt(v, 0, MOST)],
    };
    if (kind === RESIGN && body.length === 1) return body[0] === 1;
    return body.length === shapes[kind].length && shapes[kind].every((good, at) => good(body[at]));
  }

  function isScore(value, seats) {
    if (!Array.isArray(value)) return false;
    const [match, games, before, points] = value, isMatch = isInt(match, 2, 999);
    if (value.length === 1) return isMatch;
    return value.length === 4 && (isMatch || match === 0) && isInt(games, 1, MOST) && isBytes(before, 32)
      && Array.isArray(points) && points.length === seats && points.every((one) => isInt(one, 0, isMatch ? match - 1 : MOST));
  }

  function charter(packed) {
    const [bare, nonces, signatures] = exact(packed, 16384, "the charter");
    const body = exact(bare, 16384, "the charter");
    must(Array.isArray(body) && [11, 12].includes(body.length) && body[0] === "charter" && body[1] === 2 && ["net", "local"].includes(body[2]), "its charter is not written as it has to be");
    const [, , kind, game, version, , , seats] = body;
    must(Array.isArray(seats) && isInt(seats.length, 1, 5) && seats.every((one) => Array.isArray(one) && one.length === 3 && isBytes(one[0], 32)
      && text(24)(one[1]) && isInt(one[2], 1, seats.length) && seats[one[2] - 1][2] === one[2]), "the seats of its charter are not written as they have to be");
    must(body.length === 11 || isScore(body[11], seats.length), "the score before the game is not written as it has to be");
    // An id and its negative, which differ by the highest bit, are one peer.
    const ids = new Set(seats.map(([id]) => hex(Uint8Array.from([...id.slice(0, 31), id[31] & 127]))));
    must(ids.size === (kind === "net" ? seats.length : 1), "the keys of its charter are not those of a table");
    const signers = kind === "net" ? seats.length : 1;
    const each = (list, size) => Array.isArray(list) && list.length === signers && list.every((one) => isBytes(one, size));
    must(each(nonces, 32) && each(signatures, 64), "its charter lacks the signature of a player");
    return { kind, game, version, seats, signers, signatures, names: seats.map(([, name]) => name), id: blake("sh/table/1", encode([bare, nonces])) };
  }

  async function check(bytes, progress) {
    const [[, packed], ...rest] = records(bytes);
    const table = charter(packed);
    const name = (seat) => table.names[seat - 1];
    const author = (seat) => (table.kind === "net" ? name(seat) : "the one computer");
    const keys = await Promise.all(table.seats.map(([id]) => crypto.subtle.importKey("raw", id, { name: "Ed25519" }, false, ["verify"])));
    const signed = (seat, domain, data, signature) => signature.length === 64 && crypto.subtle.verify({ name: "Ed25519" }, keys[seat - 1], signature, joined(utf8(domain), data));
    for (let seat = 1; seat <= table.signers; seat += 1) {
      must(await signed(seat, "stonehenge/charter/1", table.id, table.signatures[seat - 1]), `${author(seat)} has not signed the charter`);
    }
    const chains = Array.from({ length: table.signers }, () => []);
    const twice = [];
    let events = 0;
    for (const [type, raw, signature, second, secondSignature] of rest) {
      const e = event(raw, table.signers);
      const place = `event ${e.number} of ${author(e.seat)}${e.kind === MOVE ? ` (${e.body[0]})` : ""}`;
      const chain = chains[e.seat - 1];
      must(same(e.table, table.id), `${place} belongs to another table`);
      if (type === PROOF) {
        const other = event(second, table.signers), kept = chain[e.number - 1];
        must(table.kind === "net" && kept && same(kept.raw, raw) && same(kept.signature, signature), "an accusation is about an event that the record does not have");
        must(same(other.table, table.id) && other.seat === e.seat && other.number === e.number && !same(other.raw, raw), `the accusation against ${author(e.seat)} proves nothing`);
        must(await signed(e.seat, "stonehenge/event/2", second, secondSignature), `the second version in the accusation against ${author(e.seat)} is not signed by ${author(e.seat)}`);
        if (!twice.some(([seat, number]) => seat === e.seat && number === e.number)) twice.push([e.seat, e.number]);
        continue;
      }
      must(await signed(e.seat, "stonehenge/event/2", raw, signature), `the signature of ${place} is wrong`);
      must(e.number > chain.length, `${place} stands there twice, or in two versions`);
      e.heads.forEach(([length, hash], at) => must(!length || (chains[at][length - 1] && same(chains[at][length - 1].hash, hash)), `${place} names an event that does not stand before it`));
      consistent(e, chains, place);
      if (table.kind === "local") alone(e, chain, place);
      e.signature = signature;
      chain.push(e);
      events += 1;
      if (events % 50 === 0) progress(`${events} signatures are good so far...`);
    }
    return { ...table, table: hex(table.id), chains, events, twice };
  }

  // Check 8 of section 4: an event that contradicts what its author knew before is none that a client can sign.
  function consistent(e, chains, place) {
    const chain = chains[e.seat - 1], last = chain[chain.length - 1];
    const lower = (one, other) => one.slot[0] < other.slot[0] || (one.slot[0] === other.slot[0] && one.slot[1] < other.slot[1]);
    const epochs = (list) => list.filter((one) => one.kind === EPOCH).map((one) => one.body[0]);
    const contradicts = (holds) => must(holds, `${place} contradicts what ${e.kind === EPOCH ? "its author agreed to" : "its author knew"} before`);
    contradicts(!last || !lower(e, last));
    e.heads.forEach(([now], at) => {
      const then = at === e.seat - 1 ? chain.length : last ? last.heads[at][0] : 0;
      contradicts(now >= then);
      if (now > then) contradicts(chains[at][now - 1].heads.every(([length], of) => length <= e.heads[of][0]));
    });
    let alike = 0; // at one step, in whatever epochs
    for (let at = chain.length - 1; at >= 0 && chain[at].slot[1] === e.slot[1]; at -= 1) alike += (chain[at].kind === EPOCH) === (e.kind === EPOCH);
    must(alike < (e.kind === EPOCH ? 128 : 8), `${place} is one too many for its slot`);
    const own = Math.max(0, ...epochs(chain));
    const known = Math.max(e.slot[0], ...e.heads.flatMap(([length], at) => epochs(chains[at].slice(0, length))));
    contradicts(e.kind === EPOCH ? own < e.body[0] && e.body[0] <= known + 256 : e.slot[0] >= own);
  }

  // Section 10: a table on one computer has one event at each step, and signs the result once, in any epoch.
  function alone(e, chain, place) {
    const isAct = e.kind === ACT && (e.body[0] === 0 || !e.body[1].startsWith("takeback"));
    const isResult = e.kind === RESULT && !e.body[0].length;
    const isOver = chain.some((one) => one.kind === RESULT);
    must(!isOver && (isAct ? e.slot[2] === 1 && e.slot[0] === 0 : isResult && e.slot[2] === 7) && e.slot[1] === chain.length, `${place} does not fit the place where it stands`);
  }

  // Section 7: what the parts of a roll make, for the values that the page says were rolled.
  function rolled(draw, seed) {
    let counter = 0, bytes = [];
    const next = () => {
      if (!bytes.length) { bytes = [...blake("sh/stream/2", joined(seed, new Uint8Array(7), [counter]))]; counter += 1; }
      return bytes.shift();
    };
    const below = (bound) => { for (;;) { const byte = next(); if (byte < 256 - 256 % bound) return byte % bound; } };
    if (draw[0] === "Dice") return Array.from({ length: draw[1] }, () => 1 + below(draw[2])).join("-");
    return draw[1][below(draw[1].length)];
  }

  // Returns at which step of the table a roll was made; throws if the record does not have it so.
  function roll(found, hashed, ply, after) {
    const bytes = bytesOf(hashed);
    const [table, number, live, draw, salts] = exact(bytes, 16384, `roll ${ply.number}`);
    const of = `the roll at action ${ply.number}`;
    must(hex(table) === found.table, `${of} is one of another table`);
    must(live.length === salts.length && new Set(live).size === live.length && (draw[0] === "Dice" ? draw[1] < 9 && draw[2] < 257 : new Set(draw[1]).size === draw[1].length), `${of} is none that a game has`);
    // A player may have signed a part more than once: those that came too early, or late, had no effect.
    const parts = live.map((seat, at) => found.chains[seat - 1].filter((e) => e.kind === REVELATION && e.slot[2] === 3 && same(e.body[0], salts[at])));
    must(parts.every((own) => own.length), `${of} has a part that nobody signed`);
    const steps = parts[0].map((e) => e.slot[1]).filter((one) => one > after && parts.every((own) => own.some((e) => e.slot[1] === one)));
    must(steps.length, `the parts of ${of} were not shown at one time`);
    const step = Math.min(...steps);
    const shown = parts.map((own) => own.filter((e) => e.slot[1] === step).pop());
    shown.forEach((e) => {
      const fits = (one) => same(one.kind === COMMITMENT ? one.body[0] : one.body[1], blake("sh/commit/2", encode([table, one.slot[0], number, e.seat, e.body[0]])));
      const bound = found.chains[e.seat - 1].slice(0, e.number - 1).filter((one) => (one.kind === COMMITMENT || one.kind === REVELATION) && one.slot[1] < step && fits(one));
      must(bound.length, `the part of ${found.names[e.seat - 1]} in ${of} does not fit its commitment`);
      must(shown.every((other) => other.seat === e.seat || other.heads[e.seat - 1][0] >= bound[0].number), `a part of ${of} was shown before ${found.names[e.seat - 1]} had committed to the other one`);
    });
    must(rolled(draw, blake("sh/outcome/2", bytes)) === ply.action, `the parts of ${of} do not make ${ply.action}`);
    return step;
  }

  // Compares what the page shows with what the record has. Returns how many signed moves the page does not show.
  function compare(found, shown) {
    const page = (holds, text) => must(holds, `the page is not true to its record: ${text}`);
    page(found.table === shown.table, "the record is of another table");
    page(same(found.names, shown.names), `it names ${shown.names.join(", ")} as players, the record ${found.names.join(", ")}`);
    page(found.seats.every(([id], at) => base32(id) === shown.keys[at]), "it shows other keys of the players");
    page(found.events === shown.events, `the record has ${found.events} signed events, this page was made from ${shown.events}`);
    const by = (list, seat) => list.filter((one) => one[0] === seat).length;
    const isTold = shown.twice.every(([seat, number]) => found.twice.some((one) => one[0] === seat && one[1] === number));
    page(isTold && found.names.every((_, at) => by(shown.twice, at + 1) >= Math.min(KEPT, by(found.twice, at + 1))), "it does not tell of two versions of one event as the record does");
    const all = found.chains.flat();
    let step = -1, used = 0;
    const acts = all.filter((e) => e.kind === ACT);
    shown.plies.forEach((ply, at) => {
      const named = `action ${ply.number}, ${ply.action}`;
      page(ply.listed === ply.action && ply.caption.startsWith(`${ply.number}. ${ply.told}`), `it tells action ${ply.number} in two ways`);
      const numbers = (told) => (told.match(/\d+/g) || []).join();
      page(ply.kind !== "roll" || numbers(ply.told) === numbers(ply.action), `action ${ply.number} is told as "${ply.told}" and was ${ply.action}`);
      if (found.kind === "local") {
        const act = acts[at];
        page(act && act.body[0] === ply.actor && (act.body[1] === ply.action || (ply.kind === "deal" && act.body[1].startsWith("deal"))), `${named}, is not in it`);
        used += 1;
      } else if (ply.kind === "move") {
        const moves = found.chains[ply.actor - 1].filter((e) => (e.kind === MOVE || e.kind === PLAY) && e.body[0] === ply.action && e.slot[1] > step);
        page(moves.length, `${named} of ${found.names[ply.actor - 1]}, is not in it`);
        step = Math.min(...moves.map((e) => e.slot[1]));
        used += 1;
      } else if (ply.kind === "roll" || ply.kind === "draw") {
        page(ply.hashed, `${named}, has no parts`);
        step = roll(found, ply.hashed, ply, step);
      } else if (ply.kind === "resign" || ply.kind === "late") {
        page(found.chains[ply.actor - 1].some((e) => e.kind === RESIGN), `${found.names[ply.actor - 1]} has signed no resignation`);
      } else if (ply.kind === "breach") {
        page(shown.breaches.includes(ply.actor), `it names no breach of ${found.names[ply.actor - 1]}`);
      } else if (ply.kind === "left") {
        page(all.some((e) => e.kind === EPOCH && e.body[1].some(([seat]) => seat === ply.actor)), `nobody has agreed to go on without ${found.names[ply.actor - 1]}`);
      } else {
        const signs = { deal: (e) => e.kind === KEY, agreed: (e) => e.kind === WISH && e.body[0] === 1, takeback: (e) => e.kind === TAKEBACK && `takeback ${e.body[0]}` === ply.action };
        page(Object.hasOwn(signs, ply.kind) && all.some(signs[ply.kind]), `${named}, is signed by nobody`);
      }
    });
    const last = shown.plies[shown.plies.length - 1];
    const out = shown.plies.filter((ply) => ["resign", "late", "left", "breach"].includes(ply.kind)).map((ply) => ply.actor);
    const stayed = found.names.flatMap((_, at) => (out.includes(at + 1) ? [] : [at + 1]));
    if (last && out.includes(last.actor) && last.kind !== "move" && stayed.length === 1 && shown.finished && !shown.team) {
      const [seat] = stayed, name = found.names[seat - 1], named = [name, `"${name.replaceAll('"', "'")}"`];
      const full = named.flatMap((one) => [`${shown.colours[seat - 1]} (${one})`, `${one} (seat ${seat})`]);
      const called = found.names.filter((other) => other === name).length > 1 ? full : [...named, ...full];
      page(called.some((one) => shown.outcome.includes(`${one} won`)), `it says "${shown.outcome}", and all but ${name} are out`);
    }
    return all.filter((e) => e.kind === MOVE || e.kind === PLAY || e.kind === ACT).length - used;
  }

  const button = id("check"), told = id("checked");
  const record = () => Uint8Array.from(atob(id("record").href.split(",")[1]), (letter) => letter.charCodeAt(0));

  // What this page shows: its visible words where there are any, the data of the page where not.
  function visible() {
    const game = JSON.parse(id("game").textContent);
    const items = [...document.querySelectorAll("#moves li")].slice(1);
    const texts = (query) => [...document.querySelectorAll(query)].map((one) => one.textContent);
    must(items.length === game.plies.length, "the page is not true to its record: it lists another number of actions than it plays");
    return {
      ...game.record,
      names: texts(".name"),
      colours: [...document.querySelectorAll(".name")].map((one) => one.closest("tr").cells[0].textContent.trim()),
      keys: texts(".key"),
      outcome: document.querySelector(".outcome").textContent,
      plies: game.plies.map(([actor, kind, action, hashed], at) => ({
        number: at + 1, actor, kind, action, hashed, caption: game.told[at + 1],
        listed: items[at].querySelector("code").textContent, told: items[at].querySelector(".told").textContent,
      })),
    };
  }

  function say(lines, not) {
    const list = (items) => { const made = document.createElement("ul"); for (const item of items) { const line = document.createElement("li"); line.textContent = item; made.append(line); } return made; };
    const head = (text) => { const made = document.createElement("p"); made.textContent = text; return made; };
    told.replaceChildren(head("Checked in this browser:"), list(lines), head("Not checked here, only by p2p-stonehenge verify:"), list(not));
  }

  function refuse(why) {
    told.textContent = `NOT GENUINE: ${why}.`;
    told.className = "bad";
    id("verdict").textContent = "NOT GENUINE, by the check below.";
    id("verdict").className = "bad";
    id("shown").classList.add("struck");
    id("seal").textContent = "NOT GENUINE: do not believe this page. See what the check found.";
    id("seal").className = "bad";
  }

  async function pressed() {
    button.setAttribute("aria-disabled", "true");
    try {
      must(window.crypto && crypto.subtle, "UNABLE");
      const bytes = record();
      const found = await check(bytes, (text) => { told.textContent = text; });
      const shown = visible();
      const unshown = compare(found, shown);
      const hash = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
      must(hash === shown.sha256, "the record is not the one this page was made from");
      const results = found.chains.map((chain) => chain.filter((e) => e.kind === RESULT));
      const signers = results.flatMap((list, at) => (list.some((e) => hex(e.digest) === shown.digest) ? [found.names[at]] : []));
      const others = results.flatMap((list, at) => (list.length && !list.some((e) => hex(e.digest) === shown.digest) ? [found.names[at]] : []));
      const rolls = shown.plies.filter((ply) => ply.hashed).length;
      const local = found.kind === "local";
      const result = local ? "signed by the one computer" : `signed by ${signers.join(" and ")}`;
      say([
        `The charter is signed by ${local ? "the one computer" : found.names.join(", ")}, and all ${found.events} events are signed and chained.`,
        ...found.twice.map(([seat, number]) => `${found.names[seat - 1]} signed two versions of event ${number}: that is proven.`),
        "The names of the players, their keys and the notation of each move in the list are those of the record.",
        ...(rolls ? [`${rolls === 1 ? "1 roll follows from its" : `${rolls} rolls follow from their`} parts, and each part was committed to before any was shown.`] : []),
        ...(unshown ? [`${unshown} signed actions in the record are not in the list of moves: the page takes them to have had no effect.`] : []),
        signers.length ? `The result is ${result}, with the digest of the last position that this page names.` : "Nobody has signed a result in this record.",
        ...(others.length ? [`${others.join(" and ")} signed a result of another position.`] : []),
      ], [
        "that the moves are lawful, that no event comes far too early, and who won by the rules",
        "that sentences and pictures fit the notation beside them",
        "that shuffles, cards and what the page calls a breach of the rules are proven",
      ]);
      told.className = "";
    } catch (error) {
      const unable = error.message === "UNABLE" || error.name === "NotSupportedError";
      if (unable) told.textContent = "This browser cannot check Ed25519 signatures. Save the record and use p2p-stonehenge verify.";
      else refuse(error instanceof Wrong ? error.message : "it cannot be read");
    }
    button.removeAttribute("aria-disabled");
  }
  button.addEventListener("click", pressed);
})();
