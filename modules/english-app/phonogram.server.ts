import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { PHONOGRAMS } from './phonogram-facts.ts'
import { phonogram } from './phonogram.ts'

/** Kinds of content that practise a phonogram. */
export const PHONOGRAM_BLOCKS = { phonogram: '讲解', listen: '听音', follow: '跟读', spell: '拼读' } as const

const kinds = sql.raw(Object.keys(PHONOGRAM_BLOCKS).map((kind) => `'${kind}'`).join(', '))
const practised = (id: string) => sql`(select count(*)::int from outline_block b join outline_node n on n.id = b.node_id where b.kind in (${kinds}) and b.ref_id = ${sql.raw(id)} and not n.gone)`

/** The phonograms, with the words that hold them and the lessons that practise them. */
export const phonograms = serve(phonogram)({
  computed: {
    word_cnt: sql`(select count(*)::int from english_word w where w.sounds @> array[t.symbol] and w.deleted_at is null)`,
    practice_cnt: practised('t.id'),
  },
  segments: {
    needs: {
      audio: sql`phonogram.audio is null`, mouth: sql`phonogram.mouth is null`, pairs: sql`coalesce(jsonb_array_length(phonogram.pairs), 0) = 0`, practice: sql`${practised('phonogram.id')} = 0`,
    },
  },
})

/** Puts in those of the 48 phonograms that are not there. */
export async function insertPhonograms(db: Database): Promise<void> {
  await seedTransaction(db, async (tx) => {
    const known = new Set((await tx.query<{ symbol: string }>(sql`select symbol from phonogram`)).map(({ symbol }) => symbol))
    const missing = PHONOGRAMS.flatMap((one, place) => (known.has(one.symbol) ? [] : [{ ...one, letters: [...one.letters], examples: [...one.examples], pairs: [...one.pairs], sort: (place + 1) * 10, status: 1 as const }]))
    await insertMany(tx, phonogram, missing)
  })
}
