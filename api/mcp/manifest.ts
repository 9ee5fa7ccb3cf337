/**
 * The `server.json` for the official registry of MCP servers (modelcontextprotocol.io, schema of 2025-12-11). The registry lets the
 * owner of a domain publish names that begin with the reversed domain, and remotes below the domain.
 */
import { SURFACE_PREFIX } from '../../schema/records/operations.ts'
import { AGENT_VERSION, type CardOptions } from '../a2a/card.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
/** Registries accept domain names only, not IP addresses. */
const DOMAIN = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/

/** `api.example.org` becomes `org.example.api`. A host that is not a domain becomes `localhost`: it cannot be published. */
const namespaceOf = (host: string): string => (DOMAIN.test(host) ? host.split('.').toReversed().join('.') : 'localhost')

/** The manifest for a base URL. A key is required unless payments are accepted. */
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
            receiver === undefined ? 'API key' : 'API key. Without a key each tool call needs an x402 payment',
          isRequired: receiver === undefined,
          isSecret: true,
        },
      ],
    },
  ],
})
