import { sql } from 'drizzle-orm'
import { serveModule } from '../../core/module/serve.server.ts'
import { addAssetUser } from '../asset/door.server.ts'
import { ALL_PAPERS, LESSONS } from '../paper/module.ts'
import { chapter, knowledgeLabel } from '../practice/module.ts'
import { assetUses } from './asset-uses.server.ts'
import { outlineCalls } from './calls.server.ts'
import { addOwnKinds } from './kinds.server.ts'
import { usedByBlocks } from './door.server.ts'
import door from './module.ts'

addOwnKinds()
addAssetUser(assetUses)

export default serveModule({
  door,
  after: ['asset', 'paper'],
  uses: [
    ...ALL_PAPERS.flatMap((paper) => usedByBlocks('paper', paper)),
    ...LESSONS.flatMap((lesson) => usedByBlocks('micro', lesson)),
    { target: knowledgeLabel, table: 'outline_node', when: sql`u.id = any(r.label_ids) and not r.gone`, label: '课程目录', measure: '项' },
    { target: chapter, table: 'outline_node', when: sql`r.chapter_id = u.id and not r.gone`, label: '课程目录', measure: '项' },
  ],
  calls: outlineCalls,
})
