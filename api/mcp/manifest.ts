/**
 * How registries of MCP servers list this one: `server.json` of the official registry (modelcontextprotocol.io, schema of 2025-12-11).
 * The registry lets the owner of a domain publish names that begin with the domain turned around, and remotes below it.
 */
import { SURFACE_PREFIX } from '../../schema/records/operations.ts'
import { AGENT_VERSION, type CardOptions } from '../a2a/card.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
/** Registries take names of domains only, not addresses. */
const DOMAIN = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/

/** `api.example.org` is `org.example.api`; what is no domain cannot be published and is named after this machine. */
const namespaceOf = (host: string): string => (DOMAIN.test(host) ? host.split('.').toReversed().join('.') : 'localhost')

/** The manifest of the server under a URL. A key is required where nothing else is taken. */
export const mcpManifest = ({ baseUrl, receiver }: CardOptions) => ({
  $schema: SCHEMA,
  name: `${namespaceOf(new URL(baseUrl).hostname)}/assay`,
  title: 'Assay',
  description: 'Scores wallets and contracts from on-chain data: fraud, rug pulls, behaviour, quality, credit.',
  version: AGENT_VERSION,
  websiteUrl: `${baseUrl}/docs`,
  remotes: [
    {
      type: 'streamable-http',
      url: `${baseUrl}${SURFACE_PREFIX.agent}/mcp`,
      headers: [
        {
          name: 'x-api-key',
          description:
            receiver === undefined ? 'API key' : 'API key; without one each tool call has to be paid for (x402)',
          isRequired: receiver === undefined,
          isSecret: true,
        },
      ],
    },
  ],
})
