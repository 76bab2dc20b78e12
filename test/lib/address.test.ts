import { describe, expect, test } from "vitest";
import { closedAddress } from "../../src/lib/address.ts";

describe("closed addresses", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["0.0.0.0", "this host"],
    ["10.1.2.3", "private"],
    ["172.31.255.255", "private"],
    ["192.168.0.1", "private"],
    ["100.100.100.200", "shared by a carrier"],
    ["169.254.169.254", "link-local, where clouds keep credentials"],
    ["224.0.0.1", "multicast"],
    ["255.255.255.255", "reserved or broadcast"],
    ["::", "this host"],
    ["::1", "loopback"],
    ["[::1]", "loopback"],
    ["fd00:ec2::254", "where a cloud keeps credentials"],
    ["fe80::1%eth0", "link-local"],
    ["ff02::1", "multicast"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["::ffff:a9fe:a9fe", "link-local, where clouds keep credentials"],
    ["::127.0.0.1", "loopback"],
    ["::ffff:0:10.0.0.1", "private"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::10.0.0.1", "private"],
    ["2002:7f00:1::", "loopback"],
    ["2002:a9fe:a9fe::1", "link-local, where clouds keep credentials"],
    ["2001:0:1::", "Teredo, which hides another address"],
    ["example.com", "no address"],
    ["", "no address"],
  ])("%s: %s", (address, reason) => {
    expect(closedAddress(address)).toBe(reason);
  });

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "169.253.255.255", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"])(
    "%s is open",
    (address) => {
      expect(closedAddress(address)).toBeUndefined();
    },
  );

  test("loopback, and only that, can be opened on purpose", () => {
    expect(["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "0.0.0.0"].map((address) => closedAddress(address, { allowLoopback: true }))).toEqual([
      undefined,
      undefined,
      undefined,
      "private",
      "this host",
    ]);
  });
});

test("a private network may be opened, the place of credentials never", () => {
  const open = (address: string): boolean => closedAddress(address, { allowPrivate: true }) === undefined;
  expect(["10.1.2.3", "192.168.0.1", "172.16.0.1", "fd12::1", "::ffff:10.0.0.1"].filter(open)).toHaveLength(5);
  expect(["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "127.0.0.1", "fe80::1"].filter(open)).toEqual([]);
});
