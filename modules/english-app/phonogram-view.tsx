import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { request } from '../../core/endpoint/call.tsx'
import { present } from '../../core/resource/present.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { SOUND_KINDS } from './ipa.ts'
import { phonogram } from './phonogram.ts'
import { SoundButton } from './sound-button.tsx'
import './english.css'

type Row = WireRow<typeof phonogram>

/** The 48 at a glance: which have sound, which nobody practises. */
function Chart() {
  const { data } = useQuery({ queryKey: ['phonograms'], queryFn: ({ signal }) => request<{ items: Row[] }>('GET', phonogram.api.list, { page_size: 100, sort: 'sort' }, { signal, quiet: true }) })
  if (!data) return null
  return (
    <div className="phonogram-chart">
      {SOUND_KINDS.map(({ value, label }) => (
        <section key={value} aria-label={label}>
          <h4>{label}</h4>
          <div>{data.items.filter(({ kind }) => kind === value).map((row) => (
            <Link key={row.id} to={`/englishApp/phonogram?open=${row.id}`} data-idle={Number(row.practice_cnt) === 0} title={`${Number(row.word_cnt)} 个单词，${Number(row.practice_cnt)} 处练习`}>{row.symbol}</Link>
          ))}</div>
        </section>
      ))}
      <p className="note">灰色的音标还没有出现在音标目录的练习中</p>
    </div>
  )
}

export default present(phonogram)({
  cells: {
    symbol: ({ value }) => <b className="ipa">/{value}/</b>,
    audio: ({ value, row }) => (value ? <SoundButton url={value} label={`播放 ${row.symbol}`} /> : <span className="lacking">缺</span>),
    word_cnt: ({ row, value }) => <Link to={`/englishApp/detail?show=word&sounds=${encodeURIComponent(row.symbol)}`}>{Number(value ?? 0)}</Link>,
    practice_cnt: ({ value }) => (Number(value) === 0 ? <span className="lacking">没有</span> : <Link to="/englishApp/phonogramcatalog">{Number(value)}</Link>),
  },
  slots: {
    above: Chart,
    head: ({ row }) => (
      <div className="phonogram-head">
        <span className="phonogram-symbol">/{row.symbol}/</span>{row.audio && <SoundButton url={row.audio} label={`播放 ${row.symbol}`} />}
        <ul>{(row.pairs ?? []).map(({ word, other, sound }) => <li key={`${word} ${other}`}>{word} — {other}{sound && <small> /{sound}/</small>}</li>)}</ul>
      </div>
    ),
  },
})
