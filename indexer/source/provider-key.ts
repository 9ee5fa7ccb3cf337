import type { FamilyInfo } from '../../schema/networks/families.ts'

const OWN_HOSTS = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The header with the key for an endpoint. Only the key's provider gets it, over TLS, and proxies on this machine: it would
 * otherwise be told to whoever else is listed as an endpoint.
 */
export const keyHeader = (
  url: string,
  provider: FamilyInfo['keyedProvider'],
  key: string | undefined,
): Record<string, string> => {
  if (!provider || key === undefined) return {}
  const { protocol, hostname } = new URL(url)
  const theirs = `.${hostname}`.endsWith(`.${provider.domain}`) && protocol === 'https:'
  return theirs || OWN_HOSTS.test(hostname) ? { [provider.header]: key } : {}
}
