import { type Network, networkInfo } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'

/** What repairs a topic whose messages cannot be stored any more, as a sentence of an error. */
export const repairOf = (network: Network, topic: string): string =>
  topic === topics.past(network)
    ? `Stop the indexer of ${networkInfo(network).code}, delete the topic, and start indexer and scorer: the logs of authorities are read again (docs/operating-the-stream.md#read-the-logs-of-authorities-again).`
    : 'Fill an empty store from the bus (docs/operating-the-stream.md).'
