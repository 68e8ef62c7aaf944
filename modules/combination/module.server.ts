import { serveModule } from '../../core/module/serve.server.ts'
import { addAssetUser } from '../asset/door.server.ts'
import { addBlockKind, usedByBlocks, usesByBlocks } from '../outline/door.server.ts'
import { ALL_PAPERS, LESSONS } from '../paper/module.ts'
import { addPracticeUser, findPracticeFacts, practiceFacts } from '../practice/door.server.ts'
import { combinationCalls } from './calls.server.ts'
import { combination } from './combination.ts'
import { insertCombinationDemo } from './demo.server.ts'
import { combinationFacts, findCombinations } from './facts.server.ts'
import door from './module.ts'
import { combinationService } from './rules.server.ts'
import { addCombinationUser, assetUses, practiceUses, usedByCombinations } from './uses.server.ts'

addBlockKind({ kind: 'practice', label: '试题', target: { describe: practiceFacts, find: findPracticeFacts } })
addBlockKind({ kind: 'combination', label: '组合', target: { describe: combinationFacts, find: findCombinations } })
addAssetUser(assetUses)
addPracticeUser(practiceUses)
addCombinationUser(usesByBlocks(['combination']))

export default serveModule({
  door,
  after: ['asset', 'outline', 'paper', 'practice'],
  services: [combinationService],
  uses: [
    ...ALL_PAPERS.map((paper) => usedByCombinations('paper', paper)),
    ...LESSONS.map((lesson) => usedByCombinations('micro', lesson)),
    ...usedByBlocks('combination', combination),
  ],
  calls: combinationCalls,
  demo: (db) => insertCombinationDemo(db),
})
