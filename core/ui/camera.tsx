/** Looks for a code in what a camera shows at the moment. */
export type FrameReader = (video: HTMLVideoElement) => Promise<string | undefined>

/** The platform's own reader of codes, where a browser has one. */
interface Detector { detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
interface DetectorType { new (options?: { formats?: readonly string[] }): Detector; getSupportedFormats(): Promise<readonly string[]> }
interface WithDetector { readonly BarcodeDetector?: DetectorType }

/** Kinds of codes that stand on what we print, and on books and parcels. */
const FORMATS = ['qr_code', 'code_128', 'code_39', 'ean_13', 'ean_8', 'itf'] as const

/** Whether this page may ask for a camera at all: only where it came over a secure connection. */
export const mayHaveCamera = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function'

/** Opens whatever reads codes here: the browser's own, or a library that is fetched then. */
export async function openReader(): Promise<FrameReader> {
  const { BarcodeDetector } = window as Window & WithDetector
  const known = await BarcodeDetector?.getSupportedFormats().catch(() => []) ?? []
  if (BarcodeDetector && FORMATS.every((format) => known.includes(format))) {
    const detector = new BarcodeDetector({ formats: FORMATS })
    return async (video) => (await detector.detect(video))[0]?.rawValue
  }
  return (await import('./frame-reader.tsx')).readFrame
}

const WHY: Readonly<Record<string, string>> = {
  NotAllowedError: '没有使用相机的权限：请在浏览器的网站设置中允许相机，再试一次',
  NotFoundError: '这台设备没有可用的相机',
  OverconstrainedError: '这台设备没有可用的相机',
  NotReadableError: '相机正被其他程序占用，请关闭后再试',
}

/** Why there is no camera, in one sentence. */
export const cameraProblem = (error: unknown): string => WHY[error instanceof Error ? error.name : ''] ?? '相机打不开，请稍后再试'
