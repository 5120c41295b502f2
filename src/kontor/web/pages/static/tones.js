// How our sounds are made: each is a few strokes, and no file.

const LOUDNESS = 0.12;

const SOUNDS = {
  dice: (context) => [0, 0.09, 0.15, 0.24, 0.29].forEach((at, n) => knock(context, at, 1400 - 150 * n, 0.05)),
  turn: (context) => { ring(context, 0, 660, 0.9); ring(context, 0.14, 880, 1.1); },
  time: (context) => { knock(context, 0, 2400, 0.03); knock(context, 0.5, 2000, 0.03); },
  talk: (context) => ring(context, 0, 520, 0.25),
};

export function play(context, name) {
  SOUNDS[name](context);
}

// Two partials that die away, as of a ship's bell.
function ring(context, at, pitch, lasts) {
  for (const [times, share] of [[1, 1], [2.76, 0.3]]) {
    const tone = new OscillatorNode(context, { frequency: pitch * times });
    tone.connect(fading(context, at, LOUDNESS * share, lasts / times));
    tone.start(context.currentTime + at);
    tone.stop(context.currentTime + at + lasts);
  }
}

// A breath of noise round a pitch, as of wood on wood.
function knock(context, at, pitch, lasts) {
  const buffer = new AudioBuffer({ length: Math.ceil(context.sampleRate * lasts), sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = 2 * Math.random() - 1;
  const noise = new AudioBufferSourceNode(context, { buffer });
  const wood = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 4 });
  noise.connect(wood).connect(fading(context, at, 4 * LOUDNESS, lasts));
  noise.start(context.currentTime + at);
}

function fading(context, at, loudness, lasts) {
  const gain = new GainNode(context, { gain: 0 });
  const begins = context.currentTime + at;
  gain.gain.setValueAtTime(loudness, begins);
  gain.gain.exponentialRampToValueAtTime(0.0001, begins + lasts);
  gain.connect(context.destination);
  return gain;
}
