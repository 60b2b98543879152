"""The adapters to what trains and evaluates models, run by the packages themselves: a task of lm-eval, a step of GRPO, a
task of verifiers. Nothing is fetched: models are made here, of random numbers."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from assay import integrations

os.environ["HF_HUB_OFFLINE"] = "1"
TEXT = """
rubric review "Reviews" {
  scale 0..10 decimals 2
  dimension correctness weight 60%
  dimension clarity     weight 40% missing 5
  gate short = words <= 100
  input words: whole >= 0 default 0
}
"""


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    (tmp_path / "review.rubric").write_text(TEXT)
    return tmp_path / "review.rubric"


def test_lm_eval(path):
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    folder = path.parent
    (folder / "documents.json").write_text("\n".join(json.dumps({"question": f"q{i}", "words": i * 40}) for i in range(4)))
    (folder / "grading.py").write_text(
        f"from assay.integrations import lm_eval_process_results\nprocess_results = lm_eval_process_results({str(path)!r})\n"
    )
    (folder / "review.yaml").write_text(
        f"""
task: review
dataset_path: json
dataset_kwargs: {{data_files: {{test: {folder}/documents.json}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: ""
process_results: !function grading.process_results
generation_kwargs: {{until: []}}
metric_list:
  - {{metric: score, aggregation: mean, higher_is_better: true}}
  - {{metric: correctness, aggregation: mean, higher_is_better: true}}
  - {{metric: clarity, aggregation: mean, higher_is_better: true}}
"""
    )

    class Answers(LM):
        def generate_until(self, requests):
            return [json.dumps({"correctness": 6 + i, "clarity": 8}) for i, _ in enumerate(requests)]

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    tasks = TaskManager(include_path=str(folder), include_defaults=False)
    results = lm_eval.simple_evaluate(model=Answers(), tasks=["review"], task_manager=tasks, bootstrap_iters=0)["results"]["review"]
    assert results["correctness,none"] == pytest.approx(7.5) and results["clarity,none"] == 8
    assert results["score,none"] == pytest.approx((6.8 + 7.4 + 8.0 + 8.6) / 4)


def test_grpo(path):
    pytest.importorskip("trl")
    torch = pytest.importorskip("torch")
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
    from trl import GRPOConfig, GRPOTrainer

    torch.manual_seed(1)
    words = ["<pad>", "<eos>", "<unk>", *"abcdefghij"]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left")
    model = GPT2LMHeadModel(GPT2Config(vocab_size=len(words), n_positions=64, n_embd=16, n_layer=1, n_head=2, bos_token_id=1, eos_token_id=1, pad_token_id=0))
    seen = []

    def record(prompt, completion, words):
        assert isinstance(prompt, str) and isinstance(completion, str) and words == 3
        made = {"correctness": min(10, completion.count("a")), "clarity": 11 if completion.startswith("b") else 8, "words": words}
        seen.append(made)
        return made

    reward = integrations.trl_reward(str(path), record=record)
    arguments = GRPOConfig(output_dir=str(path.parent / "out"), per_device_train_batch_size=4, num_generations=4, max_completion_length=6,
                           max_steps=2, logging_steps=1, report_to=[], use_cpu=True, save_strategy="no", bf16=False)  # fmt: skip
    data = Dataset.from_list([{"prompt": "a b c", "words": 3}, {"prompt": "d e", "words": 3}])
    trainer = GRPOTrainer(model=model, reward_funcs=[reward], args=arguments, train_dataset=data, processing_class=fast)
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "rewards/review/mean" in entry]
    assert len(seen) >= 8 and len(logged) == 2
    scores = [0.6 * made["correctness"] + 3.2 for made in seen if made["clarity"] <= 10]
    assert min(scores) - 0.01 <= logged[0]["rewards/review/mean"] <= max(scores) + 0.01


def test_verifiers(path):
    vf = pytest.importorskip("verifiers.v1")
    from verifiers.v1.graph import MessageNode
    from verifiers.v1.trace import AgentInfo, Trace, TraceTask

    class Question(vf.TaskData):
        words: int = 3

    class Review(vf.Task[Question]):
        review = integrations.verifiers_reward(str(path), weight=0.5)
        parts = integrations.verifiers_metrics(str(path))
        own = integrations.verifiers_reward(str(path), record=lambda trace: {"correctness": 1, "clarity": 2}, output="composite", weight=2.0, name="own")

    def traced(reply, words=3):
        task = Review(Question(prompt="q", words=words))
        trace = Trace(task=TraceTask(type="Review", data=task.data), agent=AgentInfo(config=vf.AgentConfig()))
        trace.nodes.append(MessageNode(message=vf.AssistantMessage(content=reply), sampled=True))
        asyncio.run(task.score(trace))
        return trace

    trace = traced('{"correctness": 9, "clarity": 8}')
    assert trace.metrics == {"correctness": 9, "clarity": 8}
    assert {name: (reward.score, reward.weight) for name, reward in trace.rewards.items()} == {"review": (8.6, 0.5), "own": (1.4, 2.0)}
    assert trace.reward == pytest.approx(8.6 * 0.5 + 1.4 * 2)
    for refused in (traced('{"correctness": 99}'), traced("no JSON")):
        assert refused.metrics == {} and refused.rewards["review"].score == 0
    assert traced('{"correctness": 9}', words=300).rewards["review"].score == 7.4  # a gate takes no reward away: say output= or record= for that
