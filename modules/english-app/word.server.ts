import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, duplicate, invalid } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { distinctSounds, foldIpa } from './ipa.ts'
import { englishPage } from './page.ts'
import { holdsWord, type Sentence } from './sentence.ts'
import { englishUnit } from './unit.ts'
import { IPA_STATE, englishWord } from './word.ts'

/** What a word lacks, as conditions over the table of this name. */
const lacking = (table: string): Readonly<Record<'ipa' | 'uk_audio' | 'us_audio' | 'image' | 'sentence' | 'sentence_audio', SQL>> => {
  const of = (column: string) => sql.raw(`${table}.${column}`)
  const some = sql`coalesce(jsonb_array_length(${of('sentences')}), 0)`
  return {
    ipa: sql`(coalesce(${of('uk')}, '') = '' or coalesce(${of('us')}, '') = '')`,
    uk_audio: sql`${of('uk_audio')} is null`, us_audio: sql`${of('us_audio')} is null`, image: sql`${of('image')} is null`, sentence: sql`${some} = 0`,
    sentence_audio: sql`(${some} > 0 and exists (select 1 from jsonb_array_elements(${of('sentences')}) s where coalesce(s->>'audio', '') = ''))`,
  }
}

const ofUnit = (condition: SQL) => sql`(select count(*)::int from english_word w where w.unit_id = t.id and w.deleted_at is null and ${condition})`
const lacks = lacking('w')

/** Units, with what their words lack. */
export const units = serve(englishUnit)({
  computed: {
    word_cnt: ofUnit(sql`true`), no_phonetics: ofUnit(lacks.ipa), no_ipa: ofUnit(sql`w.state = ${sql.raw(String(IPA_STATE.open))}`), no_uk: ofUnit(lacks.uk_audio), no_us: ofUnit(lacks.us_audio), no_image: ofUnit(lacks.image),
    no_sentence: ofUnit(lacks.sentence), no_sentence_audio: ofUnit(lacks.sentence_audio),
  },
})

/** Pages, with the regions that say nothing yet. */
export const pages = serve(englishPage)({
  computed: {
    region_cnt: sql`coalesce(jsonb_array_length(t.regions), 0)`,
    silent_cnt: sql`(select count(*)::int from jsonb_array_elements(coalesce(t.regions, '[]')) r where jsonb_typeof(r->'from') is distinct from 'number' or jsonb_typeof(r->'to') is distinct from 'number')`,
  },
})

/** A unit has a word once, however it is written. @throws AppError that names the word */
async function refuseTwin(tx: Queryable, unitId: number, headword: string, id: number | undefined): Promise<void> {
  const [twin] = await tx.query<{ headword: string }>(sql`select headword from english_word where unit_id = ${unitId} and lower(headword) = ${headword.toLowerCase()} and deleted_at is null and id is distinct from ${id ?? null}::bigint limit 1`)
  if (twin) throw duplicate(englishWord.fields['headword']?.label ?? englishWord.label, twin.headword, 'headword')
}

export const words = serve(englishWord)({
  computed: { twins: sql`(select count(*)::int from english_word o where o.headword = t.headword and o.id <> t.id and o.deleted_at is null)` },
  segments: { lacks: lacking('english_word') },
  async before({ tx, values, row }) {
    if (values.headword) values.headword = values.headword.replaceAll('’', "'").replace(/\s+/g, ' ')
    const headword = values.headword ?? row?.headword ?? ''
    const unitId = values.unit_id ?? row?.unit_id
    if (unitId && (values.headword || values.unit_id)) await refuseTwin(tx, unitId, headword, row?.id)
    // Nothing is guessed here: what is proposed gets into a word only through somebody who has looked at it.
    for (const key of ['uk', 'us'] as const) if (values[key]) values[key] = foldIpa(values[key])
    if (values.uk !== undefined) values['sounds'] = distinctSounds(values.uk)
    // Somebody confirms what was changed anew.
    const changed = (['uk', 'us'] as const).some((key) => values[key] !== undefined && (values[key] ?? null) !== (row?.[key] ?? null))
    if (row && row.state === IPA_STATE.checked && changed) values['state'] = IPA_STATE.open
    const sentences = (values.sentences ?? []) as readonly Sentence[]
    const forms = (values.forms ?? row?.forms ?? []) as readonly { value?: string }[]
    const other = sentences.findIndex(({ en }) => !holdsWord(en, headword, forms.flatMap(({ value }) => value ?? [])))
    if (other >= 0) throw invalid({ sentences: `第 ${other + 1} 个例句中没有「${headword}」或它的词形` })
  },
  effects: {
    async confirm({ row }) {
      if (!row.uk || !row.us) throw badRequest('请先填写英式和美式音标')
    },
  },
})
