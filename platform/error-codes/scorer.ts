import type { ErrorTable } from './entry.ts'

/** Codes of the scorer: ingest, contract analysis, model and profile. */
export const SCORER_ERRORS = {
  ASSAY_CONTRACT_NETWORK: {
    family: 'operator',
    meaning: 'Contract analysis does not support this network. Nothing was read.',
    action: 'Use a supported network; `docs/use/api.md` lists them for each operation.',
  },
  ASSAY_CONTRACT_NODE: {
    family: 'retryable',
    meaning: 'The node did not answer during a contract analysis. The contract was not analysed.',
    action: 'Try again. If it persists, check `<NETWORK>_RPC_URL`.',
  },
  ASSAY_INGEST_CLAIMED: {
    family: 'retryable',
    meaning:
      'The blocks of a chunk arrived twice, and another chunk is inserting them at the moment. Nothing was inserted.',
    action: 'None; the chunk is retried when the other one is done.',
  },
  ASSAY_INGEST_CUT: {
    family: 'operator',
    meaning:
      'The retention of a topic removed messages that were not yet in the tables. Nothing was inserted and the network stopped.',
    action:
      'Raise the retention of the topic, then run `assay reindex --network <NETWORK> --base`. If the topic is `past.<network>`, delete it instead and restart the indexer.',
  },
  ASSAY_INGEST_FINAL_MISMATCH: {
    family: 'operator',
    meaning: 'The head topic finalizes a block under a different hash than it published. Nothing was moved.',
    action:
      "Compare the indexer's node with others, then delete the topic `head.<network>`, which the indexer refills, and run `assay reindex --network <NETWORK> --base`.",
  },
  ASSAY_INGEST_GAP: {
    family: 'operator',
    meaning:
      'Blocks are missing between the tables and the next block of a topic. The next block was not inserted and the network stopped.',
    action: 'Run `assay backfill --network <NETWORK> --from <A> --to <B>` with the blocks that the message names.',
  },
  ASSAY_INGEST_OTHER_HASH: {
    family: 'operator',
    meaning:
      'Blocks of a topic contradict the tables: a different hash at the same height, or a different parent. The blocks were not inserted and the network stopped.',
    action:
      'Run `assay verify --network <NETWORK>` to find out which blocks are on the chain. If the topics hold those blocks, run `assay reindex --network <NETWORK> --base`. If the head topic is wrong, delete it first; the indexer refills it.',
  },
  ASSAY_INGEST_OTHER_LOG: {
    family: 'operator',
    meaning:
      'The tables were filled from another topic of the same name: the topic was recreated, or restored from a backup. Nothing was inserted and the network stopped.',
    action: 'Run `assay reindex --network <NETWORK> --base`, or restore the topic.',
  },
  ASSAY_INGEST_OVERTAKEN: {
    family: 'retryable',
    meaning:
      "Another consumer changed the network's watermark or covered ranges at the same time. Nothing was changed.",
    action:
      'None; the chunk is retried. If it persists, check that all scorers of the network share one Kafka cluster.',
  },
  ASSAY_INGEST_POISON: {
    family: 'operator',
    meaning:
      'A message of the head topic or of the topic of authority logs cannot be decoded. It was copied to the topic `dlq`, and the network stopped before it.',
    action:
      'Read the reason in `dlq` and report it, then delete the topic `head.<network>`, which the indexer refills, and run `assay reindex --network <NETWORK> --base`. If the topic is `past.<network>`, delete it instead and restart the indexer.',
  },
  ASSAY_INGEST_REBUILT: {
    family: 'retryable',
    meaning:
      'The tables of the network were rebuilt from the bus while the scorer waited. The scorer stopped before inserting anything.',
    action: 'None; the network restarts and continues at the end of the new tables.',
  },
  ASSAY_INGEST_REPLAY_LOST: {
    family: 'operator',
    meaning:
      'A partly inserted chunk must be inserted again, but its messages are no longer on the bus. Nothing was inserted.',
    action: 'Raise the retention of the topic, then run `assay reindex --network <NETWORK> --base`.',
  },
  ASSAY_INGEST_REPLAY_UNCLEAR: {
    family: 'operator',
    meaning:
      'A chunk or a move was partly inserted too long ago to be deduplicated, so it is unknown which of its rows are in the tables and aggregates.',
    action: 'Run `assay reindex --network <NETWORK> --base`.',
  },
  ASSAY_INGEST_SCHEMA_VERSION: {
    family: 'operator',
    meaning: 'A block message has a schema version that this scorer cannot read. The message stays on the bus.',
    action: 'Run the same version of indexer and scorer.',
  },
  ASSAY_INGEST_UNDO_OF_FINAL: {
    family: 'operator',
    meaning: 'The head topic undoes a block that is final in the tables. The network stopped and nothing was changed.',
    action:
      "Compare the indexer's node with others. If the chain did revert finalized blocks, delete the topic `head.<network>`, which the indexer refills, and run `assay reindex --network <NETWORK> --base`.",
  },
  ASSAY_MODEL_CORRUPT: {
    family: 'bug',
    meaning: 'The hash of a model artifact is not its version, or its trees are too large. The model was not used.',
    action: 'Restore the file, or train the model again with `npm run train`.',
  },
  ASSAY_REBUILD_BLOCKS: {
    family: 'retryable',
    meaning: 'The replacement blocks could not be read from the node or the bus. The tables are unchanged.',
    action: 'Run the command again, or use a smaller range. `assay verify --fix` reads the blocks from the node.',
  },
  ASSAY_REBUILD_CLUSTER: {
    family: 'operator',
    meaning: 'Replicated tables of a cluster cannot be rebuilt in place. Nothing was changed.',
    action:
      'Fill a new database from the bus: start a second scorer with its `CLICKHOUSE_URL`, and switch the API to it when that scorer has caught up.',
  },
  ASSAY_REBUILD_HALF: {
    family: 'operator',
    meaning:
      'A rebuild of another kind was interrupted while it exchanged the tables of the network. Scorers wait until it is completed.',
    action: 'Run the command that the message names to complete it.',
  },
  ASSAY_REBUILD_RUNNING: {
    family: 'operator',
    meaning:
      'Another process is rebuilding the tables of the network, or new rows arrived during the rebuild. Nothing was exchanged.',
    action:
      'Wait until the other process is done, then run `assay reindex` again. The work of a killed process is taken over after three minutes.',
  },
  ASSAY_REBUILD_SHORT: {
    family: 'operator',
    meaning: 'The bus no longer holds all blocks that are in the tables of the network. The tables are unchanged.',
    action:
      'Run the command that the message names, usually `assay backfill --network <NETWORK> --from <A> --to <B> --again`. Then run `assay reindex --network <NETWORK> --base` again; it continues where it stopped.',
  },
  ASSAY_REBUILD_UNFINISHED: {
    family: 'operator',
    meaning:
      'The scorer of the network left a chunk or a move unfinished, and only the scorer can complete it. Nothing was changed.',
    action:
      'Start the scorer, wait until it has caught up, and run `assay reindex` again. Or run `assay reindex --network <NETWORK> --base`, which does not need the unfinished work.',
  },
  ASSAY_REBUILD_WRITER: {
    family: 'operator',
    meaning: 'A scorer of the network did not pause for a rebuild. Nothing was changed.',
    action: 'Stop that scorer, run `assay reindex`, and start it again.',
  },
  ASSAY_PROFILE_INVALID: {
    family: 'bug',
    meaning: 'A computed profile does not match its record schema. Nothing was stored or served.',
    action: 'Report it, and include the network and the data height.',
  },
} as const satisfies ErrorTable
