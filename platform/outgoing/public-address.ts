/**
 * Addresses that untrusted parties may make us connect to: the public internet. Sources: the IANA registries of
 * special-purpose addresses (RFC 6890 and its updates), and metadata addresses of clouds.
 */
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Contains the metadata services of clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's host services.
  '168.63.129.16/32',
]
/** Only global unicast is allowed, without ranges that embed other addresses or are not hosts. */
const GLOBAL_UNICAST = '2000::/3'
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const refusedV4 = listOf(NOT_PUBLIC_V4, 'ipv4')
const refusedV6 = listOf(NOT_PUBLIC_V6, 'ipv6')
const globalV6 = listOf([GLOBAL_UNICAST], 'ipv6')
const loopbackV4 = listOf(['127.0.0.0/8'], 'ipv4')

/** Whether an address is on the public internet. IPv4-mapped IPv6 addresses are not. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !refusedV4.check(address, 'ipv4')
    case 6:
      // An address with a zone is link-local.
      return !address.includes('%') && globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6')
    default:
      return false
  }
}

/** Whether an address is a loopback address. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) === 4 ? loopbackV4.check(address, 'ipv4') : address === '::1'
