package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecialAddressesTests {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, unspecified",
    "0.1.2.3, unspecified",
    "10.0.0.1, private",
    "10.255.255.255, private",
    "100.64.0.1, carrier-grade",
    "100.100.100.200, carrier-grade",
    "127.0.0.1, loopback",
    "127.255.255.254, loopback",
    "168.63.129.16, metadata",
    "169.254.169.254, link-local",
    "172.16.0.1, private",
    "172.31.255.255, private",
    "192.0.0.192, reserved",
    "192.0.2.1, documentation",
    "192.88.99.1, relay",
    "192.168.1.1, private",
    "198.18.0.1, benchmarking",
    "198.19.255.255, benchmarking",
    "198.51.100.7, documentation",
    "203.0.113.9, documentation",
    "224.0.0.1, multicast",
    "239.255.255.255, multicast",
    "240.0.0.1, reserved",
    "255.255.255.255, reserved",
    "::, unspecified",
    "::1, loopback",
    "::7f00:1, reserved",
    "::ffff:127.0.0.1, loopback",
    "::ffff:10.0.0.1, private",
    "64:ff9b::7f00:1, loopback",
    "64:ff9b::a9fe:a9fe, link-local",
    "64:ff9b:1::1, reserved",
    "100::1, reserved",
    "2001::1, reserved",
    "2001:db8::1, documentation",
    "2002:7f00:1::, loopback",
    "2002:a00:1::1, private",
    "2a00:1450::200:5efe:a00:1, private",
    "2a00:1450::5efe:7f00:1, loopback",
    "3fff::1, documentation",
    "fc00::1, private",
    "fd00:ec2::254, private",
    "fe80::1, link-local",
    "fec0::1, site-local",
    "ff02::1, multicast",
  })
  void knowsAddressesThatAreNotPublic(String literal, String why) {
    assertThat(SpecialAddresses.describe(InetAddress.ofLiteral(literal)))
        .hasValueSatisfying(it -> assertThat(it).contains(why));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.1",
        "192.167.255.255",
        "223.255.255.255",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2001:4860:4860::8888",
        "2606:4700:4700::1111",
        "2a00:1450::1"
      })
  void letsPublicAddressesPass(String literal) {
    assertThat(SpecialAddresses.describe(InetAddress.ofLiteral(literal))).isEmpty();
  }

  @Test
  void seesThroughMappedBytes() throws UnknownHostException {
    var mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    mapped[12] = 127;
    mapped[15] = 1;
    assertThat(SpecialAddresses.describe(InetAddress.getByAddress(mapped))).isPresent();
  }
}
