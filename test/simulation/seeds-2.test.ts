import { describeSeeds } from './seeds.suite.ts'

describeSeeds(101, 100)
