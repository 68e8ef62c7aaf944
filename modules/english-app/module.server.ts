import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { serveCourseLines } from '../offer/door.server.ts'
import { usedByBlocks } from '../outline/door.server.ts'
import { addEnglishBlocks } from './blocks.server.ts'
import { insertEnglishDemo } from './demo.server.ts'
import { englishLine } from './line.ts'
import door from './module.ts'
import { addPhonics, phonicsCalls } from './phonics.server.ts'
import { PHONICS_RIGHTS } from './phonics.ts'
import { insertPhonograms, phonograms } from './phonogram.server.ts'
import { englishUnit } from './unit.ts'
import { englishPage } from './page.ts'
import { pages, units, words } from './word.server.ts'
import { wordCalls } from './word-calls.server.ts'
import { englishWord, IPA_STATE } from './word.ts'

addEnglishBlocks()
addPhonics()

const line = serveCourseLines([englishLine])
/** Days in which proposed phonetics are confirmed. */
const CHECK_DAYS = 7

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'practice', 'paper', 'asset', 'outline', 'offer', 'course-line'],
  ...line,
  services: [...line.services ?? [], units, words, pages, phonograms],
  uses: [...line.uses ?? [], ...usedByBlocks('word_list', englishUnit), ...usedByBlocks('page', englishPage)],
  calls: (kernel) => [...line.calls?.(kernel) ?? [], ...wordCalls(kernel), ...phonicsCalls],
  rights: [...line.rights ?? [], PHONICS_RIGHTS],
  waiting: [
    ...line.waiting ?? [],
    listWaiting(englishWord, {
      name: 'english_ipa', title: '待核的音标', group: 'decide', verb: '核对', path: '/englishApp/detail?show=word', query: () => ({ state: String(IPA_STATE.open) }), grant: englishWord.rights.id('check'), due: { days: CHECK_DAYS },
      since: sql`updated_at`, notes: ['uk', 'us', 'unit_id'], pass: 'confirm',
    }),
  ],
  base: (db) => insertPhonograms(db),
  renew: (db) => insertPhonograms(db),
  demo: insertEnglishDemo,
})
