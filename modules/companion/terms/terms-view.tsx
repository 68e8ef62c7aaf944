import { RichText } from '../../../core/rich-text/rich-text.tsx'
import type { TermAsset } from '../calls.ts'
import type { PackTerm } from '../pack-term.ts'

/** Terms as learners see them: the word, what it means, an example, how it sounds and looks. */
export function TermsView({ terms, assets }: { terms: readonly PackTerm[]; assets: readonly TermAsset[] }) {
  if (terms.length === 0) return null
  const asset = (id: number | null | undefined) => assets.find((one) => one.id === id)
  return (
    <dl className="terms-view">{terms.map((term) => {
      const [sound, picture] = [asset(term.sound_id), asset(term.picture_id)]
      return (
        <div key={term.key}>
          <dt>{term.word}</dt>
          <dd>
            <RichText doc={term.explain ?? null} />
            {term.example && <p className="note">例：{term.example}</p>}
            {sound && <audio controls preload="none" src={sound.url} aria-label={`${term.word}的声音`}><track kind="captions" /></audio>}
            {picture && <img src={picture.url} alt={picture.name} loading="lazy" />}
          </dd>
        </div>
      )
    })}</dl>
  )
}
