import type { ErrorTable } from './entry.ts'

/** Codes of the scorer: ingest, contract analysis, model and profile. */
export const SCORER_ERRORS = {
  ASSAY_CONTRACT_NETWORK: {
    family: 'operator',
    meaning: 'Contracts are not analysed on this network. Nothing was read.',
    action: 'Use a network that the operation supports; `docs/use/api.md` lists them.',
  },
  ASSAY_CONTRACT_NODE: {
    family: 'retryable',
    meaning: 'The node did not answer while a contract was read. The contract was not analysed.',
    action: 'Try again. If it persists, check `<NETWORK>_RPC_URL`.',
  },
  ASSAY_INGEST_CLAIMED: {
    family: 'retryable',
    meaning: 'Blocks of a chunk are being inserted by another chunk, because they came twice. Nothing was inserted.',
    action: 'None; the chunk is repeated once the other one is done.',
  },
  ASSAY_INGEST_CUT: {
    family: 'operator',
    meaning:
      'A topic no longer holds messages that are not in the tables: its retention removed them. Nothing was inserted and the network stopped.',
    action:
      'Raise the retention of the topic, then run `assay reindex --network <NETWORK> --base`. If it is `past.<network>`, delete it instead and restart the indexer.',
  },
  ASSAY_INGEST_FINAL_MISMATCH: {
    family: 'operator',
    meaning: 'The head topic finalizes a block by another hash than the one it published. Nothing was moved.',
    action:
      "Compare the indexer's node with others, then delete topic `head.<network>`, which the indexer refills, and run `assay reindex --network <NETWORK> --base`.",
  },
  ASSAY_INGEST_GAP: {
    family: 'operator',
    meaning:
      'Blocks are missing between those in the tables and the next one of a topic. The next one was not inserted and the network stopped.',
    action: 'Run `assay backfill --network <NETWORK> --from <A> --to <B>` with the blocks the message names.',
  },
  ASSAY_INGEST_OTHER_HASH: {
    family: 'operator',
    meaning:
      'Blocks contradict those in the tables: another hash at the same height, or another parent. They were not inserted and the network stopped.',
    action:
      "Run `assay verify --network <NETWORK>` to see which blocks are the chain's. If the topics have those, run `assay reindex --network <NETWORK> --base`; if the head topic is wrong, delete it first, and the indexer fills it anew.",
  },
  ASSAY_INGEST_OTHER_LOG: {
    family: 'operator',
    meaning:
      'A topic is not the one the tables were filled from: it was deleted and created again, or restored from a backup. Nothing was inserted and the network stopped.',
    action: 'Run `assay reindex --network <NETWORK> --base`, or restore the topic.',
  },
  ASSAY_INGEST_OVERTAKEN: {
    family: 'retryable',
    meaning:
      "Another consumer changed the network's watermark or covered ranges at the same time. Nothing was changed.",
    action:
      'None; the chunk is repeated. If it persists, check that all scorers of the network share one Kafka cluster.',
  },
  ASSAY_INGEST_POISON: {
    family: 'operator',
    meaning:
      'A message on the topic of the head or of authority logs cannot be decoded. It was copied to topic `dlq`, and the network stopped before it.',
    action:
      'Read the reason on `dlq` and report it, then delete topic `head.<network>`, which the indexer refills, and run `assay reindex --network <NETWORK> --base`. If the topic is `past.<network>`, delete it instead and restart the indexer.',
  },
  ASSAY_INGEST_REBUILT: {
    family: 'retryable',
    meaning:
      'The tables of the network were rebuilt from the bus while the scorer waited. It stopped before it inserted anything.',
    action: 'None; the network is restarted and continues at the end of the new tables.',
  },
  ASSAY_INGEST_REPLAY_LOST: {
    family: 'operator',
    meaning:
      'A half-inserted chunk has to be repeated, but its messages are no longer on the bus. Nothing was inserted.',
    action: 'Raise the retention of the topic, then run `assay reindex --network <NETWORK> --base`.',
  },
  ASSAY_INGEST_REPLAY_UNCLEAR: {
    family: 'operator',
    meaning:
      'A chunk or a move was half inserted too long ago to be deduplicated, and it is unknown which of its rows the tables and aggregates hold.',
    action: 'Run `assay reindex --network <NETWORK> --base`.',
  },
  ASSAY_INGEST_SCHEMA_VERSION: {
    family: 'operator',
    meaning: 'A block message has another schema version than this scorer reads. It stays on the bus.',
    action: 'Run indexer and scorer of one version.',
  },
  ASSAY_INGEST_UNDO_OF_FINAL: {
    family: 'operator',
    meaning:
      'The head topic undoes a block that is finalized in the tables. The network stopped and nothing was changed.',
    action:
      "Compare the indexer's node with others. If the chain did go back, delete topic `head.<network>`, which the indexer refills, and run `assay reindex --network <NETWORK> --base`.",
  },
  ASSAY_MODEL_CORRUPT: {
    family: 'bug',
    meaning: 'The text of a model artifact does not hash to its version, or its trees are too large. It was not used.',
    action: 'Restore the file, or train again with `npm run train`.',
  },
  ASSAY_REBUILD_BLOCKS: {
    family: 'retryable',
    meaning: 'Blocks for a replacement could not be read from the node or the bus. The tables are unchanged.',
    action: 'Run the command again, or for a smaller range. `assay verify --fix` takes the blocks from the node.',
  },
  ASSAY_REBUILD_CLUSTER: {
    family: 'operator',
    meaning: 'Tables that are replicated over a cluster cannot be rebuilt in place. Nothing was changed.',
    action:
      'Fill a new database from the bus: name it in `CLICKHOUSE_URL` of a second scorer, and of the API when that has caught up.',
  },
  ASSAY_REBUILD_HALF: {
    family: 'operator',
    meaning:
      'Another kind of rebuild was interrupted while the tables of the network were exchanged. Scorers wait until it is completed.',
    action: 'Run the command that the message names, which completes it.',
  },
  ASSAY_REBUILD_RUNNING: {
    family: 'operator',
    meaning:
      'Another process rebuilds the tables of the network, or rows came while this one did. Nothing was exchanged.',
    action:
      'Wait until the other one is done, then run `assay reindex` again. One that was killed is taken over after three minutes.',
  },
  ASSAY_REBUILD_SHORT: {
    family: 'operator',
    meaning: 'The bus no longer holds all blocks of the network that are in the tables. The tables are unchanged.',
    action:
      'Run `assay backfill --network <NETWORK> --from <A> --to <B> --again` with the blocks the message names, or what else it names; then run `assay reindex --network <NETWORK> --base` again, which continues where it stopped.',
  },
  ASSAY_REBUILD_UNFINISHED: {
    family: 'operator',
    meaning:
      'The scorer of the network left a chunk or a move unfinished, which only it can complete. Nothing was changed.',
    action:
      'Start the scorer, wait until it has caught up, and run `assay reindex` again; or run `assay reindex --network <NETWORK> --base`, which does not depend on the unfinished work.',
  },
  ASSAY_REBUILD_WRITER: {
    family: 'operator',
    meaning: 'A scorer of the network did not pause for a rebuild. Nothing was changed.',
    action: 'Stop that scorer, run `assay reindex`, and start it again.',
  },
  ASSAY_PROFILE_INVALID: {
    family: 'bug',
    meaning: 'A computed profile does not match the schema of its record. Nothing was stored or served.',
    action: 'Report it with the network and the data height.',
  },
} as const satisfies ErrorTable
