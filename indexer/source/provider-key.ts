import type { FamilyInfo } from '../../schema/networks/families.ts'

const OWN_HOSTS = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The header with the API key for an endpoint. Only the key's provider (over TLS) and proxies on this machine get it, so that
 * other endpoints never see it.
 */
export const keyHeader = (
  url: string,
  provider: FamilyInfo['keyedProvider'],
  key: string | undefined,
): Record<string, string> => {
  if (!provider || key === undefined) return {}
  const { protocol, hostname } = new URL(url)
  const isProvider = `.${hostname}`.endsWith(`.${provider.domain}`) && protocol === 'https:'
  return isProvider || OWN_HOSTS.test(hostname) ? { [provider.header]: key } : {}
}
