import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, duplicate, invalid, notFound } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { create, type Pipeline } from '../../core/resource/operations.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { addWords } from './calls.ts'
import { distinctSounds, foldIpa, proposeUk, proposeUs } from './ipa.ts'
import { englishPage } from './page.ts'
import { holdsWord, type Sentence } from './sentence.ts'
import { englishUnit } from './unit.ts'
import { IPA_STATE, englishWord } from './word.ts'

/** What a word lacks, as conditions over the table of this name. */
const lacking = (table: string): Readonly<Record<'uk_audio' | 'us_audio' | 'image' | 'sentence' | 'sentence_audio', SQL>> => {
  const of = (column: string) => sql.raw(`${table}.${column}`)
  const some = sql`coalesce(jsonb_array_length(${of('sentences')}), 0)`
  return {
    uk_audio: sql`${of('uk_audio')} is null`, us_audio: sql`${of('us_audio')} is null`, image: sql`${of('image')} is null`, sentence: sql`${some} = 0`,
    sentence_audio: sql`(${some} > 0 and exists (select 1 from jsonb_array_elements(${of('sentences')}) s where coalesce(s->>'audio', '') = ''))`,
  }
}

const ofUnit = (condition: SQL) => sql`(select count(*)::int from english_word w where w.unit_id = t.id and w.deleted_at is null and ${condition})`
const lacks = lacking('w')

/** Units, with what their words lack. */
export const units = serve(englishUnit)({
  computed: {
    word_cnt: ofUnit(sql`true`), no_ipa: ofUnit(sql`w.state = ${sql.raw(String(IPA_STATE.open))}`), no_uk: ofUnit(lacks.uk_audio), no_us: ofUnit(lacks.us_audio), no_image: ofUnit(lacks.image),
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

const written = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

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
    for (const key of ['uk', 'us'] as const) if (values[key]) values[key] = foldIpa(values[key])
    if (!row) {
      values.uk = written(values.uk) ?? (proposeUk(headword) || null)
      values.us = written(values.us) ?? (proposeUs(values.uk ?? '') || null)
    }
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

/** The table in which a unit's words are put in, answered. */
export function wordCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  return [
    handle(addWords, (call) => call.transaction(async (tx) => {
      const service = registry.get(englishWord.name)
      if (!service) throw new Error('words are not served')
      const pipeline: Pipeline = { service, registry, targets: new Map([...registry].map(([name, known]) => [name, known.resource])), staff: call.staff }
      const { unit_id } = call.input
      const [unit] = await tx.query<{ textbook_id: number; last: number }>(sql`select textbook_id, coalesce((select max(sort) from english_word w where w.unit_id = u.id and w.deleted_at is null), 0)::int as last from english_unit u
        where u.id in (select id from english_unit where ${listCondition(englishUnit, call.staff, {})}) and u.id = ${unit_id} for no key update`)
      if (!unit) throw notFound(englishUnit.label)
      const wrong: Record<string, string> = {}
      for (const [place, { headword, pos, cn, uk, us, level, sentence, sentence_cn }] of call.input.words.entries()) {
        try {
          await create(tx, pipeline, {
            headword, textbook_id: unit.textbook_id, unit_id, kind: headword.includes(' ') ? 'phrase' : 'word', level: level ?? null, meanings: [{ ...(pos && { pos }), cn }], uk: uk || null, us: us || null,
            sentences: sentence ? [{ en: sentence, cn: sentence_cn ?? '', audio: null }] : [], sort: unit.last + (place + 1) * 10,
          })
        } catch (error) {
          // Refused before anything was written.
          if (!(error instanceof AppError) || error.status >= 500 || error.status === 403) throw error
          wrong[`words.${place}`] = `第 ${place + 1} 行「${headword}」：${error.message}`
        }
      }
      if (Object.keys(wrong).length > 0) throw invalid(wrong)
      return { added: call.input.words.length }
    }, { action: 'add_words' })),
  ]
}
