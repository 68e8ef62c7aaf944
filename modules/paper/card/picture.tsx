import { fillPath } from '../../../core/endpoint/define.ts'
import { pagePicture } from './calls.ts'
import type { Box } from './geometry.ts'

/** A part of a scanned page, or all of it. */
export function CardPicture({ pageId, box, label }: { pageId: number; box: Box | null; label: string }) {
  const query = box ? `?${new URLSearchParams(Object.entries(box).map(([key, value]) => [key, String(Math.round(value * 10) / 10)])).toString()}` : ''
  return <img className="marking-picture" src={`${fillPath(pagePicture.path, { id: pageId })}${query}`} alt={label} />
}
