import { Image } from 'antd'

/** Images as large as the window allows, one after the other, to be turned and enlarged. */
export function ImagePreview({ images, onClose }: { images: readonly string[]; onClose: () => void }) {
  return <Image.PreviewGroup items={[...images]} preview={{ open: true, onOpenChange: (open) => { if (!open) onClose() } }} />
}
