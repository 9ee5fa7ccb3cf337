import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { mcpManifest } from './manifest.ts'

/** What the registry's schema of 2025-12-11 asks of a server with a remote, as far as a manifest of ours could fail it. */
const SCHEMA = {
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    $schema: { type: 'string', format: 'uri' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: { type: 'string', format: 'uri' },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        properties: {
          type: { const: 'streamable-http' },
          url: { type: 'string', format: 'uri', pattern: '^https?://[^\\s]+$' },
          headers: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              additionalProperties: false,
              properties: {
                name: { type: 'string' },
                description: { type: 'string' },
                isRequired: { type: 'boolean' },
                isSecret: { type: 'boolean' },
              },
            },
          },
        },
      },
    },
  },
  additionalProperties: false,
}

test.each([
  ['https://api.example.org', 'org.example.api/assay'],
  ['https://xn--bcher-kva.example:8443/risk', 'example.xn--bcher-kva/assay'],
  ['https://API.Example.org', 'org.example.api/assay'],
  ['https://203.0.113.7', 'localhost/assay'],
  ['https://[2001:db8::1]', 'localhost/assay'],
  ['http://localhost:8080', 'localhost/assay'],
])('the manifest of %s is valid and named %s', (baseUrl, name) => {
  const manifest = mcpManifest({ baseUrl })
  const ajv = new Ajv2020()
  addFormats.default(ajv)
  expect(ajv.validate(SCHEMA, manifest), ajv.errorsText()).toBe(true)
  expect(manifest).toMatchObject({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    version: '1.0.0',
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/api/mcp`,
        headers: [{ name: 'x-api-key', isSecret: true, isRequired: true }],
      },
    ],
  })
})

test('a key is optional where calls can be paid for', () => {
  const { remotes } = mcpManifest({ baseUrl: 'https://api.example.org', receiver: `0x${'11'.repeat(20)}` })
  expect(remotes[0]?.headers).toMatchObject([{ name: 'x-api-key', isSecret: true, isRequired: false }])
})
