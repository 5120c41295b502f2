// A film runs while it is seen, unless its reader wants nothing to move; its own controls stop it.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) target.pause();
      else if (!still.matches && !target.dataset.stopped) target.play().catch(() => {});
    }
  },
  { threshold: 0.5 },
);
for (const film of document.querySelectorAll("video.film")) {
  film.addEventListener("pause", () => {
    const box = film.getBoundingClientRect();
    // Who stops it while they see it, meant it.
    if (box.top < innerHeight && box.bottom > 0 && !film.ended) film.dataset.stopped = "1";
  });
  film.addEventListener("play", () => delete film.dataset.stopped);
  seen.observe(film);
}
