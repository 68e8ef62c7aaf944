import { useQuery } from '@tanstack/react-query'
import { Drawer, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { QuestionView } from '../../practice/door.tsx'
import { readSpotCard } from '../calls.ts'
import type { Hotspot } from '../hotspot.ts'

/** Width of the phone on which most learners see it, in pixels. */
const PHONE = 390

/** The question that a saved place leads to. */
function Question({ id }: { id: number }) {
  const { data, error } = useQuery({ queryKey: ['spot-card', id], queryFn: ({ signal }) => call(readSpotCard, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <p className="note">保存热区后可以预览试题</p>
  const card = data?.cards[0]
  return card ? <QuestionView content={card.content} answer="folded" /> : <Skeleton active />
}

/** A page as learners see it on a phone: a place is tapped, what it leads to opens below. */
export function PhonePreview({ image, title, spots, targetOf, onClose }: { image: string; title: string; spots: readonly Hotspot[]; targetOf: (spot: Hotspot) => BlockTarget | undefined; onClose: () => void }) {
  const [key, setKey] = useState<string>()
  const tapped = spots.find((spot) => spot.key === key)
  const target = tapped && targetOf(tapped)
  return (
    <Drawer open size={PHONE + 48} title={title} onClose={onClose}>
      <div className="page-canvas">
        <img src={image} alt={title} />
        {spots.filter(({ ref_id }) => ref_id !== null).map((spot) => (
          <button key={spot.key} type="button" className="page-spot" data-layer={spot.layer} data-bound data-chosen={spot.key === key} aria-label={spot.no === '' ? targetOf(spot)?.name ?? '热区' : `第 ${spot.no} 题`} onClick={() => setKey(spot.key)}
            style={{ left: `${spot.x * 100}%`, top: `${spot.y * 100}%`, width: `${spot.w * 100}%`, height: `${spot.h * 100}%` }} />
        ))}
      </div>
      {tapped && (
        <article className="phone-answer" aria-live="polite">
          <h4>{tapped.no !== '' && `${tapped.no} · `}{target?.name ?? '内容准备中'}</h4>
          {target && tapped.kind === 'practice' ? <Question id={target.id} /> : target && <p className="note">{[target.note, ...(target.minutes > 0 ? [`${target.minutes} 分钟`] : [])].filter(Boolean).join(' · ')}</p>}
        </article>
      )}
    </Drawer>
  )
}
