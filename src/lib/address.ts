/** Which addresses of the network a program may be sent to by somebody it does not trust. */
import { BlockList, isIP, isIPv4 } from "node:net";

/** Addresses that lead into this machine, its neighbourhood or nowhere. */
// prettier-ignore
export const CLOSED_RANGES = [
  { range: "0.0.0.0/8",        what: "this host" },
  { range: "10.0.0.0/8",       what: "private" },
  { range: "100.64.0.0/10",    what: "shared by a carrier" },
  { range: "127.0.0.0/8",      what: "loopback" },
  { range: "169.254.0.0/16",   what: "link-local, where clouds keep credentials" },
  { range: "172.16.0.0/12",    what: "private" },
  { range: "192.0.0.0/24",     what: "reserved" },
  { range: "192.0.2.0/24",     what: "documentation" },
  { range: "192.88.99.0/24",   what: "6to4 relay" },
  { range: "192.168.0.0/16",   what: "private" },
  { range: "198.18.0.0/15",    what: "benchmarks" },
  { range: "198.51.100.0/24",  what: "documentation" },
  { range: "203.0.113.0/24",   what: "documentation" },
  { range: "224.0.0.0/4",      what: "multicast" },
  { range: "240.0.0.0/4",      what: "reserved or broadcast" },
  { range: "::/128",           what: "this host" },
  { range: "::1/128",          what: "loopback" },
  { range: "64:ff9b:1::/48",   what: "local translation" },
  { range: "100::/64",         what: "discarded" },
  { range: "2001::/32",        what: "Teredo, which hides another address" },
  { range: "2001:db8::/32",    what: "documentation" },
  { range: "fd00:ec2::254/128", what: "where a cloud keeps credentials" },
  { range: "fc00::/7",         what: "private" },
  { range: "fe80::/10",        what: "link-local" },
  { range: "fec0::/10",        what: "site-local" },
  { range: "ff00::/8",         what: "multicast" },
] as const;

/** IPv6 prefixes that carry an IPv4 address, and at which of their eight groups it starts. */
// prettier-ignore
const CARRIERS = [
  { range: "::ffff:0:0/96",    group: 6, what: "mapped" },
  { range: "::ffff:0:0:0/96",  group: 6, what: "translated" },
  { range: "::/96",            group: 6, what: "compatible" },
  { range: "64:ff9b::/96",     group: 6, what: "NAT64" },
  { range: "2002::/16",        group: 1, what: "6to4" },
] as const;

/** Kinds of closed addresses that a caller may open on purpose. */
export interface AddressOptions {
  readonly allowLoopback?: boolean;
  /** Addresses of a private network; never those where clouds keep credentials. */
  readonly allowPrivate?: boolean;
}

/** Why an address is closed; undefined when it is open. What is no address is closed too. */
export function closedAddress(text: string, options: AddressOptions = {}): string | undefined {
  const address = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIP(address) === 0) return "no address";
  const row = ROWS.find(({ list }) => holds(list, address));
  if (row) return opened(row.what, options) ? undefined : row.what;
  const carried = isIPv4(address) ? undefined : carriedAddress(address);
  return carried === undefined ? undefined : closedAddress(carried, options);
}

function opened(what: string, { allowLoopback = false, allowPrivate = false }: AddressOptions): boolean {
  return (what === "loopback" && allowLoopback) || (what === "private" && allowPrivate);
}

const ROWS = CLOSED_RANGES.map(({ range, what }) => ({ list: listOf(range), what }));
const CARRIER_ROWS = CARRIERS.map(({ range, group }) => ({ list: listOf(range), group }));

function listOf(range: string): BlockList {
  const [network = "", bits = ""] = range.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits), familyOf(network));
  return list;
}

/** Node also finds a mapped IPv4 address in an IPv4 list, which is what we want. */
function holds(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}

/** The IPv4 address inside an IPv6 one. */
function carriedAddress(address: string): string | undefined {
  const carrier = CARRIER_ROWS.find(({ list }) => holds(list, address));
  if (!carrier) return undefined;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(carrier.group, carrier.group + 2);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of an IPv6 address; a dotted end counts as two. */
function groupsOf(address: string): readonly number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, ...parts: string[]) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = parts.slice(0, 4).map(Number);
    return `${((first << 8) | second).toString(16)}:${((third << 8) | fourth).toString(16)}`;
  });
  const [head = "", tail] = hex.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...(tail === undefined ? [] : zeros), ...right].map((group) => Number.parseInt(group, 16));
}
