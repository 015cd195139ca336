/** Whether the gallery is part of the build. The bundler replaces it, so that a deployed Worker lacks the gallery. */
declare const COMPONENT_GALLERY: boolean | undefined;
