import { type Network, networkInfo } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'

/** The command that rebuilds the tables of a network from the bus. */
export const reindexBase = (network: Network): string => `\`assay reindex --network ${network} --base\``

/** How to replace a head topic that contradicts itself or cannot be read, as part of a sentence. */
export const renewHead = (network: Network): string =>
  `delete topic ${topics.head(network)}, which the indexer fills anew, and run ${reindexBase(network)}`

/** How to repair a topic with a message that cannot be stored, as a sentence. */
export const repairOf = (network: Network, topic: string): string => {
  if (topic === topics.past(network)) {
    return `Stop the indexer of ${networkInfo(network).code}, delete the topic, and start indexer and scorer: the indexer then reads the logs of authorities again (docs/operate/operating-the-stream.md#read-the-logs-of-authorities-again).`
  }
  const sentence = topic === topics.head(network) ? renewHead(network) : `run ${reindexBase(network)}`
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
