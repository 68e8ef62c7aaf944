import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, invalid, notFound } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { change, create, transition, type Done, type Pipeline } from '../../core/resource/operations.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { addWords, confirmPhonetics, MOST_WORDS, proposePhonetics, putRecordings, type ProposedWord } from './calls.ts'
import { foldIpa } from './ipa.ts'
import { openDictionary } from './phonetics.server.ts'
import { englishUnit } from './unit.ts'
import { IPA_STATE, englishWord } from './word.ts'

/** Takes each of several words in one transaction; the wrong ones are named by their place, and then none is written. */
async function eachWord<Word>(words: readonly Word[], nameOf: (word: Word) => Promise<string>, take: (word: Word, place: number) => Promise<void>): Promise<void> {
  const wrong: Record<string, string> = {}
  for (const [place, word] of words.entries()) {
    try {
      await take(word, place)
    } catch (error) {
      // Refused before anything was written.
      if (!(error instanceof AppError) || error.status >= 500 || error.status === 403) throw error
      wrong[`words.${place}`] = `第 ${place + 1} 行「${await nameOf(word)}」：${error.message}`
    }
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

const headwordOf = (tx: Queryable) => async ({ id }: { readonly id: number }) => (await tx.query<{ headword: string }>(sql`select headword from english_word where id = ${id}`))[0]?.headword ?? String(id)

/** A word stands once in what is sent. @throws AppError that names the row */
function refuseDoubles(words: readonly { readonly id: number }[]): void {
  const again = words.findIndex(({ id }, place) => words.findIndex((one) => one.id === id) < place)
  if (again >= 0) throw invalid({ [`words.${again}`]: `第 ${again + 1} 行的单词重复` })
}

/** Words that somebody may see and that wait for phonetics. */
async function waiting(call: Call, { unit_id, word_id }: { readonly unit_id?: string | undefined; readonly word_id?: string | undefined }): Promise<Omit<ProposedWord, 'proposal'>[]> {
  return call.db.query<Omit<ProposedWord, 'proposal'> & Record<string, unknown>>(sql`select id, rev, headword, coalesce((select string_agg(m->>'cn', '；') from jsonb_array_elements(meanings) m), '') as cn, uk, us
    from english_word where ${listCondition(englishWord, call.staff, { state: String(IPA_STATE.open), ...(unit_id !== undefined && { unit_id }), ...(word_id !== undefined && { ids: word_id }) })} order by unit_id, sort, id limit ${MOST_WORDS}`)
}

/** What is done with several words of a unit at once, answered. */
export function wordCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const pipelineOf = (call: Call): Pipeline => {
    const service = registry.get(englishWord.name)
    if (!service) throw new Error('words are not served')
    return { service, registry, targets: new Map([...registry].map(([name, known]) => [name, known.resource])), staff: call.staff }
  }
  return [
    handle(addWords, (call) => call.transaction(async (tx) => {
      const pipeline = pipelineOf(call)
      const { unit_id, words } = call.input
      const [unit] = await tx.query<{ textbook_id: number; last: number }>(sql`select textbook_id, coalesce((select max(sort) from english_word w where w.unit_id = u.id and w.deleted_at is null), 0)::int as last from english_unit u
        where u.id in (select id from english_unit where ${listCondition(englishUnit, call.staff, {})}) and u.id = ${unit_id} for no key update`)
      if (!unit) throw notFound(englishUnit.label)
      await eachWord(words, async ({ headword }) => headword, async ({ headword, pos, cn, uk, us, level, sentence, sentence_cn }, place) => {
        await create(tx, pipeline, {
          headword, textbook_id: unit.textbook_id, unit_id, kind: headword.includes(' ') ? 'phrase' : 'word', level: level ?? null, meanings: [{ ...(pos && { pos }), cn }], uk: uk || null, us: us || null,
          sentences: sentence ? [{ en: sentence, cn: sentence_cn ?? '', audio: null }] : [], sort: unit.last + (place + 1) * 10,
        })
      })
      return { added: words.length }
    }, { action: 'add_words' })),

    handle(proposePhonetics, async (call) => {
      const propose = await openDictionary()
      const words = await waiting(call, call.input)
      return { items: words.map((word) => ({ ...word, proposal: propose(word.headword) })), total: words.length }
    }),

    handle(confirmPhonetics, (call) => call.transaction(async (tx) => {
      const pipeline = pipelineOf(call)
      const edge = englishWord.transitions.find(({ name }) => name === 'confirm')
      if (!edge) throw new Error('phonetics are not confirmed')
      refuseDoubles(call.input.words)
      const all: Done[] = []
      await eachWord(call.input.words, headwordOf(tx), async ({ id, rev, uk, us }) => {
        const [now] = await tx.query<{ uk: string | null; us: string | null }>(sql`select uk, us from english_word where id = ${id}`)
        // Who only confirms what stands there needs no right to write it.
        const written = now && (now.uk !== foldIpa(uk) || now.us !== foldIpa(us)) ? await change(tx, pipeline, id, { uk, us }, { rev }) : undefined
        const confirmed = await transition(tx, pipeline, id, edge, written ? {} : { rev })
        // Phonetics that are set back wait for a person again by themselves.
        all.push(written?.back ? { ...confirmed, before: written.before, back: written.back } : confirmed)
      })
      const undo = await keepUndo(tx, { resource: englishWord, staff: call.staff, action: 'confirm' }, all)
      return { confirmed: all.length, ...(undo !== undefined && { undo }) }
    }, { action: 'confirm_phonetics' })),

    handle(putRecordings, (call) => call.transaction(async (tx) => {
      const pipeline = pipelineOf(call)
      const { accent, words } = call.input
      refuseDoubles(words)
      const all: Done[] = []
      await eachWord(words, headwordOf(tx), async ({ id, rev, url }) => {
        all.push(await change(tx, pipeline, id, { [`${accent}_audio`]: url, audio_source: 1 }, { rev }))
      })
      const undo = await keepUndo(tx, { resource: englishWord, staff: call.staff, action: 'put_recordings' }, all)
      return { given: all.length, ...(undo !== undefined && { undo }) }
    }, { action: 'put_recordings' })),
  ]
}
