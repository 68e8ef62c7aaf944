import { PaperClipOutlined } from '@ant-design/icons'
import { Suspense, useState } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'
import type { FileField, ImagesField } from './file.ts'
import { lazyInput } from './lazy-input.tsx'
import { addresses, NONE, type CellProps, type FieldView, type InputProps } from './view.tsx'

const ImagePreview = retryLazy(async () => ({ default: (await import('./image-preview.tsx')).ImagePreview }))

/** The first of some images, small; a click shows them as they are. */
function Thumb({ images }: { images: readonly string[] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="thumb" aria-label="查看图片" onClick={(event) => { event.stopPropagation(); setOpen(true) }}><img src={images[0]} width={36} height={36} loading="lazy" alt="" /></button>
      {open && <Suspense><ImagePreview images={images} onClose={() => setOpen(false)} /></Suspense>}
    </>
  )
}

function ImageCell({ value }: CellProps<FileField>) {
  return typeof value === 'string' ? <Thumb images={[value]} /> : NONE
}

function FileCell({ value }: CellProps<FileField>) {
  return typeof value === 'string' ? <a href={value} target="_blank" rel="noopener noreferrer"><PaperClipOutlined /> 查看</a> : NONE
}

function ImagesCell({ value }: CellProps<ImagesField>) {
  const images = addresses(value)
  return images.length > 0 ? <Thumb images={images} /> : NONE
}

const FileInput = lazyInput<InputProps<FileField>>(async () => ({ default: (await import('./file-input.tsx')).FileInput }))
const ImagesInput = lazyInput<InputProps<ImagesField>>(async () => ({ default: (await import('./file-input.tsx')).ImagesInput }))

export const imageView: FieldView<FileField> = { Cell: ImageCell, Input: FileInput, align: 'center' }
export const fileView: FieldView<FileField> = { Cell: FileCell, Input: FileInput }
export const imagesView: FieldView<ImagesField> = { Cell: ImagesCell, Input: ImagesInput, align: 'center' }
