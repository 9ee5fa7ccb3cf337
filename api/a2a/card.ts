/** The A2A 0.3.0 agent card and the list of capabilities. */
import { z } from 'zod'
import { OPERATION_LIST, type OperationInfo, SURFACE_PREFIX } from '../../schema/records/operations.ts'
import { exampleAddress } from '../../schema/records/request.ts'
import { PAYMENT_CHAIN } from '../x402/protocol/offer.ts'
import { INPUT_MODES, OUTPUT_MODES } from './content.ts'
import { EXTENSION_URI } from './payment/extension.ts'
import { PROTOCOL_VERSION } from './protocol.ts'

/** Version of the agent description; independent of the protocol version and of the contract version. */
export const AGENT_VERSION = '1.0.0'

/** Settings of this installation that the card states. */
export type CardOptions = {
  /** Public URL of the agent surface, without a trailing slash. */
  baseUrl: string
  /** Account that receives payments. Without it the agent accepts API keys only. */
  receiver?: string | undefined
}

const pricing = (receiver: string | undefined) =>
  receiver ? { pricing: { amount: '0.15', currency: 'USDC', network: PAYMENT_CHAIN, scheme: 'exact', receiver } } : {}

const schemas = (operation: OperationInfo) => ({
  inputSchema: z.toJSONSchema(operation.request.agent, { io: 'input', unrepresentable: 'any' }),
  outputSchema: z.toJSONSchema(operation.record, { io: 'output', unrepresentable: 'any' }),
})

const exampleOf = (operation: OperationInfo): string => {
  const network = operation.networks[0]
  return JSON.stringify({ skill: operation.id, network, walletAddress: exampleAddress(network) })
}

const securityOf = (receiver: string | undefined) => [{ apiKey: [] }, ...(receiver ? [{ x402Payment: [] }] : [])]

const skillOf = (operation: OperationInfo, { receiver }: CardOptions) => ({
  id: operation.id,
  name: operation.title,
  description: `${operation.summary}. Networks: ${operation.networks.join(', ')}.`,
  tags: [...operation.tags],
  examples: [exampleOf(operation)],
  inputModes: INPUT_MODES,
  outputModes: OUTPUT_MODES,
  security: securityOf(receiver),
  metadata: {
    endpoint: `${SURFACE_PREFIX.agent}${operation.path}`,
    method: 'POST',
    ...schemas(operation),
    ...pricing(receiver),
  },
})

const paymentExtension = (baseUrl: string, receiver: string) => ({
  uri: 'https://x402.org/extension/v1',
  description: 'Accepts a payment per call',
  required: false,
  params: {
    protocol: 'x402',
    scheme: 'exact',
    currency: 'USDC',
    network: PAYMENT_CHAIN,
    receiver,
    pricePerCall: '$0.15',
    detailsUrl: `${baseUrl}/api/capabilities`,
  },
})

/** Payments in messages instead of headers, for clients that activate the extension. */
const messagePayments = {
  uri: EXTENSION_URI,
  description: 'Supports payments using the x402 protocol for on-chain settlement, in the standalone flow',
  required: false,
}

/** The card served at `/.well-known/agent-card.json` and `/.well-known/agent.json`. */
export const agentCard = (options: CardOptions) => {
  const { baseUrl, receiver } = options
  const url = `${baseUrl}${SURFACE_PREFIX.agent}/a2a`
  return {
    name: 'Assay',
    description:
      'Scores blockchain wallets and contracts from on-chain data alone: fraud, behaviour, rug pulls, wallet quality and credit.',
    version: AGENT_VERSION,
    url,
    preferredTransport: 'JSONRPC',
    protocolVersion: PROTOCOL_VERSION,
    provider: { organization: 'Assay', url: baseUrl },
    documentationUrl: `${baseUrl}/docs`,
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      extensions: receiver ? [paymentExtension(baseUrl, receiver), messagePayments] : [],
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      ...(receiver && { x402Payment: { type: 'apiKey', in: 'header', name: 'X-PAYMENT' } }),
    },
    security: securityOf(receiver),
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: OUTPUT_MODES,
    skills: OPERATION_LIST.map((operation) => skillOf(operation, options)),
  }
}

/** The list served at `/api/capabilities`. */
export const capabilities = (options: CardOptions) => ({
  capabilities: OPERATION_LIST.map((operation) => ({
    capability: operation.id,
    endpoint: `${SURFACE_PREFIX.agent}${operation.path}`,
    method: 'POST',
    description: operation.summary,
    ...schemas(operation),
    ...pricing(options.receiver),
    tags: [...operation.tags],
    examples: [exampleOf(operation)],
  })),
})
