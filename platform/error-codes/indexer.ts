import type { ErrorTable } from './entry.ts'

/** Codes of the indexer: sources, the follow loop and reorgs. */
export const INDEXER_ERRORS = {
  ASSAY_BACKFILL_DISCONTINUOUS: {
    family: 'operator',
    meaning: 'Blocks to be backfilled do not link to the stored blocks next to them. Nothing was published.',
    action: 'Compare the endpoints with others, then check the stored blocks with `assay verify`.',
  },
  ASSAY_BACKFILL_NO_TOPIC: {
    family: 'operator',
    meaning: 'The topics of the network are empty, so there is nothing to add to. Nothing was published.',
    action: 'Start the indexer of the network, then run `assay backfill` again.',
  },
  ASSAY_BACKFILL_NOT_FINAL: {
    family: 'operator',
    meaning: 'The range of a backfill ends above the newest final block. Nothing was published.',
    action:
      'End the range at or below the final block that the message names. The indexer brings newer blocks by itself.',
  },
  ASSAY_SOURCE_EXPLORER: {
    family: 'retryable',
    meaning: 'The explorer that finds the past of wallets refuses requests, or does not answer.',
    action:
      'None; other sources are searched for the past. If it persists, check `<NETWORK>_EXPLORER_URL`, its key and the limits of the plan.',
  },
  ASSAY_SOURCE_PAST_LATE: {
    family: 'retryable',
    meaning: 'The past of a wallet could not be fetched in time. What was found is kept and marked as incomplete.',
    action:
      'Ask for the wallet again with `calculate: true`. Endpoints that limit the range of `eth_getLogs` to some thousand blocks need hours for a long chain: add one that does not.',
  },
  ASSAY_INDEXER_BROKEN_CHAIN: {
    family: 'retryable',
    meaning:
      'A block fetched by height does not follow the one below it: nodes answered from different branches. It was not published.',
    action:
      'None; the block is fetched again, from another endpoint if there is one. If it persists, compare the endpoints.',
  },
  ASSAY_INDEXER_MOVE: {
    family: 'bug',
    meaning:
      'The follow loop tried to enter a state that cannot follow its current one. Indexing of the network stopped.',
    action: 'Report it with the message.',
  },
  ASSAY_INDEXER_TOPIC_CUT: {
    family: 'operator',
    meaning: 'The head topic no longer holds the blocks above its last finalized one, so the position is unknown.',
    action: 'Raise the retention of the topic, then index again from scratch (see below).',
  },
  ASSAY_INDEXER_TOPIC_RESET: {
    family: 'retryable',
    meaning:
      'A topic was deleted or created again while the indexer wrote to it. Nothing more was published to the old one.',
    action: 'None; the topics are read again and filled. A scorer that has read the old topic stops.',
  },
  ASSAY_INDEXER_UNSETTLED: {
    family: 'retryable',
    meaning: 'Nodes disagree about a block that a reorg or the finalized head depends on. Nothing was published.',
    action: 'None; the nodes are asked again. If it persists, compare the endpoints and remove the wrong one.',
  },
  ASSAY_INDEXER_UNSTAMPED: {
    family: 'bug',
    meaning: 'The indexer tried to publish a message before the identity of its topic was known. It was not published.',
    action: 'Report it.',
  },
  ASSAY_REORG_TOO_DEEP: {
    family: 'operator',
    meaning: 'The chain replaced a block that was published as finalized. The network stopped; nothing was undone.',
    action: 'Compare the node with others. If the chain did go back, index again from scratch (see below).',
  },
  ASSAY_SOURCE_BLOCK_MISSING: {
    family: 'retryable',
    meaning: 'No node has a block below the head.',
    action: 'None; the block is fetched again. If it persists, add an endpoint that keeps older blocks.',
  },
  ASSAY_SOURCE_FINALITY_UNCONFIRMED: {
    family: 'retryable',
    meaning:
      'No two hosts of a network agree on a finalized block. Nothing further counts as finalized. The message, also in `/status` and `/ready`, names the hosts and the block that each reports as final.',
    action:
      'Remove the endpoint that is wrong, behind or down from `<NETWORK>_RPC_URL`, or add a third. With two, `ASSAY_LONE_FINALITY_SECONDS` lets the one that still answers count alone (docs/build/verification.md).',
  },
  ASSAY_SOURCE_LOGS_UNAVAILABLE: {
    family: 'retryable',
    meaning:
      'No endpoint that answered has the logs of an authority in some block, and others did not answer. Nothing was skipped.',
    action:
      'None; all are asked again. If it persists, check the endpoints, or add one that has the whole history (docs/verdicts/coverage.md).',
  },
  ASSAY_SOURCE_NO_CHAIN_ID: {
    family: 'bug',
    meaning: 'A network without chain id was given to the EVM source.',
    action: 'Report it.',
  },
  ASSAY_SOURCE_NO_HTTP: {
    family: 'operator',
    meaning: 'Only WebSocket URLs were given, but blocks are fetched over HTTP. Nothing was started.',
    action: 'Add an http(s) URL to `<NETWORK>_RPC_URL`.',
  },
  ASSAY_SOURCE_OTHER_API: {
    family: 'operator',
    meaning: "A node does not answer the version of TON's HTTP API that its URL names. Nothing was indexed.",
    action:
      'Correct the URL in `TON_RPC_URL`. Those of version 3 end in `/api/v3`; every other one is asked as version 2.',
  },
  ASSAY_SOURCE_TRACES_UNAVAILABLE: {
    family: 'retryable',
    meaning:
      'Nodes of the network offer traces or do not answer, and none gave those of a block. It was not stored without them.',
    action:
      'None; it is fetched again. If it persists, check the limits of the endpoints, or remove those that trace badly or are down from `<NETWORK>_RPC_URL`.',
  },
  ASSAY_SOURCE_WRONG_CHAIN: {
    family: 'operator',
    meaning: 'A node reports another chain id than the network has. Nothing was indexed.',
    action: 'Correct `<NETWORK>_RPC_URL`.',
  },
} as const satisfies ErrorTable
