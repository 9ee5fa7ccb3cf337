import type { ErrorTable } from './entry.ts'

/** Codes of the indexer: sources, the follow loop and reorgs. */
export const INDEXER_ERRORS = {
  ASSAY_BACKFILL_DISCONTINUOUS: {
    family: 'operator',
    meaning:
      'The blocks to backfill do not link to the stored blocks next to them by parent hash. Nothing was published.',
    action: 'Compare the endpoints with other nodes, then check the stored blocks with `assay verify`.',
  },
  ASSAY_BACKFILL_NO_TOPIC: {
    family: 'operator',
    meaning: 'The topics of the network are empty; a backfill only adds to existing ones. Nothing was published.',
    action: 'Start the indexer of the network, then run `assay backfill` again.',
  },
  ASSAY_BACKFILL_NOT_FINAL: {
    family: 'operator',
    meaning: 'The range of a backfill ends above the newest final block. Nothing was published.',
    action:
      'End the range at or below the final block that the message names. The indexer fetches newer blocks by itself.',
  },
  ASSAY_SOURCE_EXPLORER: {
    family: 'retryable',
    meaning: 'The explorer API used to find the history of wallets refuses requests or does not answer.',
    action:
      'None; Assay uses its other sources. If it persists, check `<NETWORK>_EXPLORER_URL`, its key and the limits of your plan.',
  },
  ASSAY_SOURCE_PAST_LATE: {
    family: 'retryable',
    meaning:
      'The history of a wallet could not be fetched in time. The part that was found is kept and marked as incomplete.',
    action:
      'Request the wallet again with `calculate: true`. An endpoint that limits `eth_getLogs` to a few thousand blocks needs hours for a long chain: add one without this limit.',
  },
  ASSAY_INDEXER_BROKEN_CHAIN: {
    family: 'retryable',
    meaning:
      'The parent hash of a fetched block is not the hash of the block below it: nodes answered from different forks. The block was not published.',
    action:
      'None; the block is fetched again, from another endpoint if there is one. If it persists, compare the endpoints.',
  },
  ASSAY_INDEXER_MOVE: {
    family: 'bug',
    meaning: 'The follow loop tried to make an invalid state transition. Indexing of the network stopped.',
    action: 'Report it, and include the message.',
  },
  ASSAY_INDEXER_TOPIC_CUT: {
    family: 'operator',
    meaning: 'The head topic no longer holds the blocks above its last finalized block, so the position is unknown.',
    action: 'Raise the retention of the topic, then index again from scratch (see below).',
  },
  ASSAY_INDEXER_TOPIC_RESET: {
    family: 'retryable',
    meaning:
      'A topic was deleted or recreated while the indexer wrote to it. Nothing more was published to the old topic.',
    action:
      'None; the indexer reads the topics again and publishes the missing blocks. A scorer that has read the old topic stops.',
  },
  ASSAY_INDEXER_UNSETTLED: {
    family: 'retryable',
    meaning: 'Nodes disagree about a block that a reorg or the finalized head depends on. Nothing was published.',
    action: 'None; the request is retried. If it persists, compare the endpoints and remove the wrong one.',
  },
  ASSAY_INDEXER_UNSTAMPED: {
    family: 'bug',
    meaning:
      'The indexer tried to publish a message before it knew the identity of the topic. The message was not published.',
    action: 'Report it.',
  },
  ASSAY_REORG_TOO_DEEP: {
    family: 'operator',
    meaning:
      'A reorg replaced a block that was published as finalized. Indexing of the network stopped; nothing was undone.',
    action:
      'Compare the node with others. If the chain did revert finalized blocks, index again from scratch (see below).',
  },
  ASSAY_SOURCE_BLOCK_MISSING: {
    family: 'retryable',
    meaning: 'No node has a block below the head.',
    action: 'None; the block is fetched again. If it persists, add an endpoint that keeps older blocks.',
  },
  ASSAY_SOURCE_FINALITY_UNCONFIRMED: {
    family: 'retryable',
    meaning:
      'No two hosts of a network agree on a finalized block, so finality does not advance. The message, also in `/status` and `/ready`, names the hosts and the block that each reports as final.',
    action:
      'Remove the endpoint that is wrong, behind or down from `<NETWORK>_RPC_URL`, or add a third endpoint. With two endpoints, `ASSAY_LONE_FINALITY_SECONDS` accepts the finality of the only one that still answers (docs/build/verification.md).',
  },
  ASSAY_SOURCE_LOGS_UNAVAILABLE: {
    family: 'retryable',
    meaning:
      'The endpoints that answered do not have the logs of an authority contract in a block, and others did not answer. Nothing was skipped.',
    action:
      'None; the request is retried. If it persists, check the endpoints, or add one with the whole history (docs/verdicts/coverage.md).',
  },
  ASSAY_SOURCE_NO_CHAIN_ID: {
    family: 'bug',
    meaning: 'The EVM source was started for a network without a chain ID.',
    action: 'Report it.',
  },
  ASSAY_SOURCE_NO_HTTP: {
    family: 'operator',
    meaning: 'Only WebSocket URLs are configured, but blocks are fetched over HTTP. Nothing was started.',
    action: 'Add an http(s) URL to `<NETWORK>_RPC_URL`.',
  },
  ASSAY_SOURCE_OTHER_API: {
    family: 'operator',
    meaning: "A node does not support the version of TON's HTTP API that its URL stands for. Nothing was indexed.",
    action:
      'Correct the URL in `TON_RPC_URL`. A URL that ends in `/api/v3` is called with version 3, any other with version 2.',
  },
  ASSAY_SOURCE_TRACES_UNAVAILABLE: {
    family: 'retryable',
    meaning:
      'Endpoints of the network support traces or do not answer, but none returned the traces of a block. The block was not stored without them.',
    action:
      'None; the block is fetched again. If it persists, check the limits of the endpoints, or remove those that trace unreliably or are down from `<NETWORK>_RPC_URL`.',
  },
  ASSAY_SOURCE_WRONG_CHAIN: {
    family: 'operator',
    meaning: 'A node reports a chain ID that is not that of the network. Nothing was indexed.',
    action: 'Correct `<NETWORK>_RPC_URL`.',
  },
} as const satisfies ErrorTable
